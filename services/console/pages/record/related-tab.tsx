import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUnlink } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type LinkPlace,
  linkedPageSize,
  linkedQuery,
  linkRecord,
  unlinkRecord,
} from '../../api/links.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { type AnyRecord, columnsQuery } from '../../api/records.ts';
import { useRecordRights } from '../../api/rights.ts';
import { RecordSelect } from '../../fields/link-inputs.tsx';
import { RecordCell } from '../../fields/record-cell.tsx';
import { useText } from '../../language/language.tsx';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { Pages } from '../../parts/list/pages.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';

const shownColumns = 4;

/** The records of one link, with actions to link and unlink. */
export function RelatedTab(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly link: string;
}) {
  const { entity, record, link } = props;
  const target = useMetadata().get(entity.links[link]?.entity ?? '');
  const place = { entity: entity.name, id: record.id, link };
  const { edit } = useRecordRights(entity, record);
  const [page, setPage] = useState(0);
  const found = useQuery({ ...linkedQuery(place, page), placeholderData: keepPreviousData });
  if (target === undefined) return null;
  if (found.data === undefined) return <Pending query={found} height={160} />;
  const { list, total } = found.data;
  return (
    <Stack>
      {edit.isGranted ? <LinkButton place={place} target={target} /> : null}
      {list.length === 0 ? (
        <Nothing />
      ) : (
        <LinkedTable
          place={place}
          target={target}
          records={list}
          label={entity.labelOf(link)}
          mayUnlink={edit.isGranted}
        />
      )}
      <Pages count={Math.ceil(total / linkedPageSize)} page={page} onChange={setPage} />
    </Stack>
  );
}

function Nothing() {
  const t = useText();
  return <Empty title={t('related.noneLinked')} text={t('related.noneLinkedText')} />;
}

function LinkedTable(props: {
  readonly place: LinkPlace;
  readonly target: Entity;
  readonly label: string;
  readonly records: readonly AnyRecord[];
  readonly mayUnlink: boolean;
}) {
  const t = useText();
  const { place, target, records } = props;
  const { data: layout = ['name'] } = useQuery(columnsQuery(target.name));
  const columns = ['name', ...layout.filter((name) => name !== 'name')].slice(0, shownColumns);
  const unlinking = useLinkChange((id: string) => unlinkRecord(place, id));
  const shown: readonly Column<AnyRecord>[] = columns.map((name) => ({
    name,
    label: target.labelOf(name),
    show: (record) => <RecordCell record={record} name={name} entity={target} />,
  }));
  const unlink: Column<AnyRecord> = {
    label: '',
    show: (record) => (
      <ActionIcon
        variant="subtle"
        aria-label={t('related.unlink', { name: String(record['name'] ?? record.id) })}
        onClick={() => unlinking.mutate(record.id)}
      >
        <IconUnlink size={16} />
      </ActionIcon>
    ),
  };
  return (
    <>
      {unlinking.error === null ? null : <ErrorDetails error={unlinking.error} />}
      <DataTable
        label={props.label}
        columns={props.mayUnlink ? [...shown, unlink] : shown}
        rows={records}
        keyOf={({ id }) => id}
        minWidth={480}
      />
    </>
  );
}

function LinkButton(props: { readonly place: LinkPlace; readonly target: Entity }) {
  const t = useText();
  const { place, target } = props;
  const [isOpen, dialog] = useDisclosure();
  const [picked, setPicked] = useState({ id: '', name: '' });
  const linking = useLinkChange((id: string) => linkRecord(place, id), dialog.close);
  const title = t('related.linkTo', { entity: target.label });
  return (
    <>
      <Group>
        <Button variant="default" onClick={dialog.open}>
          {t('related.link')}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={dialog.close} title={title}>
        <Stack>
          <RecordSelect
            entity={target.name}
            label={target.label}
            value={picked.id}
            shown={picked.name}
            onPick={(id, name) => setPicked({ id: id ?? '', name: name ?? '' })}
          />
          {linking.error === null ? null : (
            <Text component="div" c="var(--mantine-color-error)">
              <ErrorDetails error={linking.error} />
            </Text>
          )}
          <Button
            disabled={picked.id === ''}
            loading={linking.isPending}
            onClick={() => linking.mutate(picked.id)}
          >
            {title}
          </Button>
        </Stack>
      </Modal>
    </>
  );
}

function useLinkChange(change: (id: string) => Promise<void>, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['records'] });
      onDone?.();
    },
  });
}
