import { Button, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePartLabel, useTypeLabel } from '../../api/metadata.ts';
import { countUndoPages, type RecentChange, recentChangesQuery } from '../../api/undo.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import { DialogActions, DialogButton } from '../../parts/dialog.tsx';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { Pages } from '../../parts/list/pages.tsx';
import { readCount, useSearchState } from '../../parts/list/search-state.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago } from '../../parts/time.tsx';
import { useUndoChange } from '../../undo/use-undo.tsx';

/** The user's changes, each with a button that undoes it. */
export function RecentPage() {
  const t = usePageText();
  const [{ page = 0 }, change] = useSearchState<{ readonly page: number | undefined }>(readers);
  const found = useQuery({ ...recentChangesQuery(page), placeholderData: keepPreviousData });
  return (
    <Stack p="md">
      <PageTitle>{t('titles.recent')}</PageTitle>
      <Text size="sm">{t('recent.text')}</Text>
      {found.data === undefined ? (
        <Pending query={found} height={320} />
      ) : (
        <>
          <Changes list={found.data.list} />
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

const readers = { page: readCount };

function Changes({ list }: { readonly list: readonly RecentChange[] }) {
  const t = usePageText();
  const describe = useDescribe();
  const columns: readonly Column<RecentChange>[] = [
    { label: t('recent.change'), show: (one) => describe(one) },
    { label: t('recent.record'), show: (one) => <Changed change={one} /> },
    { label: t('recent.when'), show: ({ at }) => <Ago value={at} /> },
    {
      label: '',
      show: (one) =>
        one.undoneById === null ? (
          <UndoButton change={one} description={describe(one)} />
        ) : (
          <Text span size="sm" c="dimmed">
            {t('recent.undone')}
          </Text>
        ),
    },
  ];
  return (
    <DataTable
      label={t('titles.recent')}
      columns={columns}
      rows={list}
      keyOf={({ changeId }) => changeId}
      empty={<Empty title={t('recent.empty')} text={t('recent.emptyText')} />}
    />
  );
}

/** Shows the record of a change, or the number of records if there are several. */
function Changed({ change }: { readonly change: RecentChange }) {
  const t = usePageText();
  const typeLabel = useTypeLabel();
  const { entityType, recordId, recordName, recordCount } = change;
  const entity = typeLabel(entityType);
  if (recordId === null) return t('recent.records', { entity, count: recordCount });
  return (
    <>
      <RecordLink underline="always" entity={entityType} id={recordId} name={recordName} />{' '}
      <Text span size="sm" c="dimmed">
        {entity}
      </Text>
    </>
  );
}

function UndoButton(props: { readonly change: RecentChange; readonly description: string }) {
  const t = usePageText();
  const { changeId, recordName, recordId, recordCount, entityType } = props.change;
  const undoing = useUndoChange();
  const record =
    recordName ?? recordId ?? t('recent.records', { entity: entityType, count: recordCount });
  const button = {
    size: 'compact-sm' as const,
    variant: 'default',
    'aria-label': t('recent.undo', { change: props.description, record }),
  };
  if (recordCount === 1) {
    return (
      <Button {...button} loading={undoing.isPending} onClick={() => undoing.mutate(changeId)}>
        {t('undo.undo')}
      </Button>
    );
  }
  return (
    <DialogButton {...button} label={t('undo.undo')} title={t('recent.undoTitle')}>
      {(close) => (
        <Stack>
          <Text size="sm">{t('recent.undoText', { count: recordCount })}</Text>
          <DialogActions
            label={t('undo.undo')}
            isPending={undoing.isPending}
            onAct={() => undoing.mutate(changeId, { onSettled: close })}
            onCancel={close}
          />
        </Stack>
      )}
    </DialogButton>
  );
}

const shownFields = 3;
const singleChanges = {
  created: 'recent.created',
  deleted: 'recent.deleted',
  restored: 'recent.restored',
  merged: 'recent.merged',
} as const;
const massActions: Readonly<
  Record<string, 'recent.massDelete' | 'titles.import' | 'recent.massRevert' | 'recent.massUpdate'>
> = {
  update: 'recent.massUpdate',
  delete: 'recent.massDelete',
  import: 'titles.import',
  revert: 'recent.massRevert',
};

/** Returns a function that describes a change without naming its record. */
function useDescribe(): (change: RecentChange) => string {
  const t = usePageText();
  const labelOf = usePartLabel();
  return ({ type, action, attributes, entityType }) => {
    if (type === 'massAction') {
      const known = massActions[action ?? ''];
      return known === undefined ? t('recent.massOther', { action: action ?? '' }) : t(known);
    }
    if (type !== 'updated') return t(singleChanges[type]);
    const labels = [...new Set(attributes.map((name) => labelOf(entityType, name)))];
    const fields = labels.slice(0, shownFields).join(', ');
    const count = labels.length - shownFields;
    return t('recent.updated', {
      fields: count > 0 ? t('recent.more', { fields, count }) : fields,
    });
  };
}
