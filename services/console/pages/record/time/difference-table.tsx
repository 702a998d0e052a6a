import { Box, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Entity } from '../../../api/metadata.ts';
import { type AnyRecord, updateRecord } from '../../../api/records.ts';
import { useRecordRights } from '../../../api/rights.ts';
import { useText } from '../../../language/language.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { type Column, DataTable } from '../../../parts/list/data-table.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { FieldValueOrDash } from '../field-value-or-dash.tsx';
import { type Difference, settableAttributes } from './versions.ts';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly from: number;
  readonly to: number;
  /** True if `to` is the current version. */
  readonly isLast: boolean;
  readonly before: Values;
  readonly after: Values;
  readonly rows: readonly Difference[];
}

type Values = Readonly<Record<string, unknown>>;

/** The differences between two versions. An older value can be restored as a new change. */
export function DifferenceTable({ entity, record, from, to, isLast, before, after, rows }: Props) {
  const t = useText();
  const queries = useQueryClient();
  const { edit } = useRecordRights(entity, record);
  const { id } = record;
  const restoring = useMutation({
    mutationFn: (values: Values) => updateRecord({ entity: entity.name, id }, values),
    onSuccess: () => {
      notifications.show({ message: t('time.restored2') });
      void queries.invalidateQueries({ queryKey: ['records', entity.name] });
    },
  });
  if (rows.length === 0) return <Text size="sm">{t('time.same')}</Text>;
  const olderValues = (row: Difference): Values =>
    Object.fromEntries(settableAttributes(entity, row).map((name) => [name, before[name] ?? null]));
  const isRestorable = (row: Difference) =>
    edit.isGranted && from > 0 && isLast && settableAttributes(entity, row).length > 0;
  const columns: readonly Column<Difference>[] = [
    { label: t('time.attribute'), show: ({ name }) => entity.labelOf(name) },
    {
      label: from === 0 ? t('time.beforeNothing') : t('time.before', { number: `${from}` }),
      show: (row) => (
        <>
          <FieldValueOrDash entity={entity} name={row.name} record={{ ...before, id }} />
          {isRestorable(row) ? (
            <RestoreButton
              label={entity.labelOf(row.name)}
              onClick={() => restoring.mutate(olderValues(row))}
            />
          ) : null}
        </>
      ),
    },
    {
      label: t('time.after', { number: `${to}` }),
      show: ({ name }) => (
        <FieldValueOrDash entity={entity} name={name} record={{ ...after, id }} />
      ),
    },
  ];
  return (
    <Stack gap="xs" align="flex-start">
      <Box w="100%">
        <DataTable
          label={t('time.table')}
          columns={columns}
          rows={rows}
          keyOf={({ name }) => name}
          minWidth={480}
        />
      </Box>
      {restoring.error === null ? null : <ErrorDetails error={restoring.error} />}
      {rows.some(isRestorable) ? (
        <>
          <Button
            variant="default"
            loading={restoring.isPending}
            onClick={() => restoring.mutate(Object.assign({}, ...rows.map(olderValues)))}
          >
            {t('time.restoreVersion', { number: `${from}` })}
          </Button>
          <Hint>{t('time.restoreText')}</Hint>
        </>
      ) : null}
    </Stack>
  );
}

function RestoreButton(props: { readonly label: string; readonly onClick: () => void }) {
  const t = useText();
  return (
    <Button
      variant="transparent"
      size="compact-sm"
      display="block"
      px={0}
      aria-label={t('time.restoreValue', { attribute: props.label })}
      onClick={props.onClick}
    >
      {t('time.restoreValueText')}
    </Button>
  );
}
