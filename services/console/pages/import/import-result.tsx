import { Alert, Anchor, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { cancelMassAction } from '../../api/mass-actions.ts';
import type { Entity } from '../../api/metadata.ts';
import { fileAddress } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { type ImportState, importQuery, revertImport } from './imports.ts';

/** The progress and the result of an import, or of a check. */
export function ImportResult({ entity, id }: { readonly entity: Entity; readonly id: string }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(importQuery(id));
  const isEnded = data !== undefined && data.status !== 'In Process';
  useEffect(() => {
    if (isEnded) void queries.invalidateQueries({ queryKey: ['records'] });
  }, [isEnded, queries]);
  if (data === undefined) {
    return error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />;
  }
  return isEnded ? <Ended entity={entity} ended={data} /> : <Running state={data} />;
}

function Running({ state }: { readonly state: ImportState }) {
  const t = usePageText();
  const { id, dryRun, processedCount, rowCount } = state;
  const cancelling = useMutation({ mutationFn: async () => cancelMassAction(id) });
  const text = t('import.progress', { done: `${processedCount}`, total: `${rowCount}` });
  return (
    <Alert variant="outline" title={t(dryRun ? 'import.checking' : 'import.running')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" role="status">
          {text}
        </Text>
        <Progress w="100%" value={(processedCount / rowCount) * 100} aria-label={text} />
        <ErrorAlert error={cancelling.error} />
        <Button
          size="compact-sm"
          variant="default"
          loading={cancelling.isPending}
          onClick={() => cancelling.mutate()}
        >
          {t('many.cancel')}
        </Button>
      </Stack>
    </Alert>
  );
}

function titleOf({ status, dryRun }: ImportState) {
  if (status === 'Failed') return 'import.failed';
  return dryRun ? 'import.checked' : 'import.done';
}

function Ended({ entity, ended }: { readonly entity: Entity; readonly ended: ImportState }) {
  const t = usePageText();
  const title = t(titleOf(ended));
  const { reason, rejectedFileId, reasons } = ended;
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Stack gap="xs" align="flex-start">
        <Text fw={600} role="status">
          {title}
        </Text>
        {reason === null ? null : <StopReason reason={reason} />}
        <Counts state={ended} />
        {reasons.length === 0 ? null : <Reasons entity={entity} reasons={reasons} />}
        {rejectedFileId === null ? null : (
          <Anchor href={fileAddress(rejectedFileId)} size="sm">
            {t('import.download')}
          </Anchor>
        )}
        {ended.dryRun ? null : <AfterImport entity={entity} ended={ended} />}
      </Stack>
    </Paper>
  );
}

const stopReasons = {
  cancelled: 'import.reasonCancelled',
  'import.too_many_rejected': 'import.reasonTooMany',
  'access.denied': 'many.accessDenied',
} as const;

function StopReason({ reason }: { readonly reason: string }) {
  const t = usePageText();
  const isKnown = Object.hasOwn(stopReasons, reason);
  const text = isKnown ? t(stopReasons[reason as keyof typeof stopReasons]) : reason;
  return <Text size="sm">{t('import.reason', { reason: text })}</Text>;
}

function Counts({ state }: { readonly state: ImportState }) {
  const t = usePageText();
  const counts = [
    [t('import.new'), state.importedCount],
    [t('import.changed'), state.updatedCount],
    [t('import.unchanged'), state.unchangedCount],
    [t('import.duplicatesCount'), state.skippedCount],
    [t('import.rejected'), state.rejectedCount],
  ] as const;
  return (
    <Group gap="lg">
      {counts.map(([label, count]) => (
        <Text key={label} size="sm">
          {label}: <b>{count}</b>
        </Text>
      ))}
    </Group>
  );
}

const codes = {
  'import.no_link': 'import.noLink',
  'import.no_match': 'import.noMatch',
  'import.text': 'import.unreadable',
  'access.denied': 'many.accessDenied',
  'assignment.denied': 'many.assignmentDenied',
  'record.invalid': 'many.invalid',
} as const;

function Reasons(props: { readonly entity: Entity; readonly reasons: ImportState['reasons'] }) {
  const t = usePageText();
  const textOf = ({ code, fields }: ImportState['reasons'][number]): string => {
    const text = Object.hasOwn(codes, code) ? t(codes[code as keyof typeof codes]) : code;
    const labels = [...new Set(fields.map(({ field }) => props.entity.labelOf(field)))];
    return labels.length === 0 ? text : `${text}: ${labels.join(', ')}`;
  };
  return (
    <DataTable
      label={t('import.rejected')}
      minWidth={280}
      rows={props.reasons}
      keyOf={({ code, fields }) => JSON.stringify([code, fields])}
      columns={[
        { label: t('import.why'), show: textOf },
        { label: t('import.count'), show: ({ count }) => `${count}` },
        {
          label: t('import.rows'),
          show: ({ rows, count }) => `${rows.join(', ')}${count > rows.length ? ' …' : ''}`,
        },
      ]}
    />
  );
}

/** The way to the records, and the undo of the import. */
function AfterImport({ entity, ended }: { readonly entity: Entity; readonly ended: ImportState }) {
  const t = usePageText();
  const queries = useQueryClient();
  const { id, importedCount, updatedCount, undoneById } = ended;
  const undoing = useMutation({
    mutationFn: async () => revertImport(id),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: importQuery(id).queryKey });
      await queries.invalidateQueries({ queryKey: ['records'] });
    },
  });
  return (
    <>
      <ErrorAlert error={undoing.error} />
      {undoneById === null ? null : <Text size="sm">{t('import.undone')}</Text>}
      <Group>
        <ButtonLink to="/records/$entity" params={{ entity: entity.name }} variant="default">
          {t('import.toRecords', { type: entity.labelPlural })}
        </ButtonLink>
        {undoneById !== null || importedCount + updatedCount === 0 ? null : (
          <Button variant="default" loading={undoing.isPending} onClick={() => undoing.mutate()}>
            {t('import.undo')}
          </Button>
        )}
      </Group>
    </>
  );
}
