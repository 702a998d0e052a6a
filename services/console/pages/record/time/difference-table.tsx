import { Button, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Entity } from '../../../api/metadata.ts';
import { updateRecord } from '../../../api/records.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { useText } from '../../../language/language.tsx';
import { AnyValue } from '../../../parts/any-value.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import type { Difference } from './versions.ts';

interface Props {
  readonly entity: Entity;
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** True if `to` is the current version. */
  readonly isLast: boolean;
  readonly rows: readonly Difference[];
}

type Values = Readonly<Record<string, unknown>>;

/** Attributes that the server sets, which cannot be restored. */
const isSetByAnnals = /^(?:id|(?:created|modified)(?:At|By).*|versionNumber|deleted)$/;
/** Names of linked records, which are derived from their ids. */
const isName = /[a-z]Names?$/;

/** The differences between two versions. An older value can be restored as a new change. */
export function DifferenceTable({ entity, id, from, to, isLast, rows }: Props) {
  const t = useText();
  const queries = useQueryClient();
  const restoring = useMutation({
    mutationFn: (values: Values) => updateRecord({ entity: entity.name, id }, values),
    onSuccess: () => {
      notifications.show({ message: t('time.restored2') });
      void queries.invalidateQueries({ queryKey: ['records', entity.name] });
    },
  });
  if (rows.length === 0) return <Text size="sm">{t('time.same')}</Text>;
  const settable = rows.filter(({ attribute }) => isSettable(entity, attribute));
  const older = Object.fromEntries(settable.map(({ attribute, before }) => [attribute, before]));
  return (
    <Stack gap="xs" align="flex-start">
      <Table.ScrollContainer minWidth={480} w="100%">
        <Table withTableBorder aria-label={t('time.table')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('time.attribute')}</Table.Th>
              <Table.Th scope="col">
                {from === 0 ? t('time.beforeNothing') : t('time.before', { number: `${from}` })}
              </Table.Th>
              <Table.Th scope="col">{t('time.after', { number: `${to}` })}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.attribute}>
                <Table.Th scope="row">{entity.labelOf(row.attribute)}</Table.Th>
                <Table.Td>
                  <AnyValue value={row.before} />
                  {from > 0 && isLast && settable.includes(row) ? (
                    <RestoreButton
                      label={entity.labelOf(row.attribute)}
                      onClick={() => restoring.mutate({ [row.attribute]: row.before })}
                    />
                  ) : null}
                </Table.Td>
                <Table.Td>
                  <AnyValue value={row.after} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {restoring.error === null ? null : <ErrorDetails error={restoring.error} />}
      {from > 0 && isLast && settable.length > 0 ? (
        <>
          <Button
            variant="default"
            loading={restoring.isPending}
            onClick={() => restoring.mutate(older)}
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

function isSettable(entity: Entity, attribute: string): boolean {
  const field = entity.fields[attribute];
  if (isSetByAnnals.test(attribute)) return false;
  if (field === undefined) return !isName.test(attribute);
  return field.readOnly !== true && fieldTypeOf(field).composedOf === undefined;
}
