import { Group, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMetadata, useTypeLabel } from '../../api/metadata.ts';
import { isAdministrator } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { countUndoPages, type DeletedRecord, deletedRecordsQuery } from '../../api/undo.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { Pages } from '../../parts/list/pages.tsx';
import { readCount, readText, useSearchState } from '../../parts/list/search-state.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago } from '../../parts/time.tsx';
import { RestoreButton } from '../../undo/restore-button.tsx';

interface BinState {
  readonly page: number | undefined;
  /** Undefined for all entity types. */
  readonly type: string | undefined;
}

const readers = { page: readCount, type: readText };

/** The deleted records that the user may restore. */
export function BinPage() {
  const t = useText();
  const isForAll = isAdministrator(useUser());
  const [{ page = 0, type }, change] = useSearchState<BinState>(readers);
  const found = useQuery({
    ...deletedRecordsQuery({ page, ...(type === undefined ? {} : { entityType: type }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack p="md">
      <PageTitle>{t('bin.title')}</PageTitle>
      <Text size="sm">{t(isForAll ? 'bin.textAll' : 'bin.text')}</Text>
      <TypeSelect value={type} onChange={(chosen) => change({ type: chosen, page: undefined })} />
      {found.data === undefined ? (
        <Pending query={found} height={320} />
      ) : (
        <>
          <Deleted list={found.data.list} isForAll={isForAll} />
          <Pages
            count={countUndoPages(page, found.data.total)}
            page={page}
            onChange={(chosen) => change({ page: chosen === 0 ? undefined : chosen })}
          />
        </>
      )}
    </Stack>
  );
}

function TypeSelect(props: {
  readonly value: string | undefined;
  readonly onChange: (type: string | undefined) => void;
}) {
  const t = useText();
  const types = [...useMetadata().values()].filter(({ scope }) => scope.tab);
  return (
    <Group>
      <Select
        label={t('bin.type')}
        placeholder={t('bin.allTypes')}
        data={types.map(({ name, labelPlural }) => ({ value: name, label: labelPlural }))}
        value={props.value ?? null}
        onChange={(type) => props.onChange(type ?? undefined)}
        clearable
        searchable
      />
    </Group>
  );
}

function Deleted(props: { readonly list: readonly DeletedRecord[]; readonly isForAll: boolean }) {
  const t = useText();
  const typeLabel = useTypeLabel();
  const by: Column<DeletedRecord> = {
    label: t('bin.by'),
    show: ({ deletedByName, deletedById }) => deletedByName ?? deletedById,
  };
  const columns: readonly Column<DeletedRecord>[] = [
    {
      label: t('bin.record'),
      show: ({ entityType, recordId, recordName }) => (
        <RecordLink entity={entityType} id={recordId} name={recordName} />
      ),
    },
    { label: t('bin.type'), show: ({ entityType }) => typeLabel(entityType) },
    { label: t('bin.when'), show: ({ at }) => <Ago value={at} /> },
    ...(props.isForAll ? [by] : []),
    {
      label: '',
      show: ({ entityType, recordId, recordName }) => (
        <RestoreButton
          place={{ entity: entityType, id: recordId }}
          name={recordName ?? recordId}
          size="compact-sm"
        />
      ),
    },
  ];
  const empty = t(props.isForAll ? 'bin.emptyAllText' : 'bin.emptyText');
  return (
    <DataTable
      label={t('bin.title')}
      columns={columns}
      rows={props.list}
      keyOf={({ entityType, recordId }) => `${entityType} ${recordId}`}
      empty={<Empty title={t('bin.empty')} text={empty} />}
    />
  );
}
