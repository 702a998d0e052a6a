import { ActionIcon, type ActionIconProps, Group, Paper, Stack, Text } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import type { HTMLAttributes, Ref } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { RecordCell } from '../../fields/record-cell.tsx';
import { Money } from '../../fields/simple-values.tsx';

type Handle = ActionIconProps &
  HTMLAttributes<HTMLButtonElement> & { readonly ref: Ref<HTMLButtonElement> };

/** A card that shows some fields of a record. Its handle moves the card with the keyboard and on touch screens. */
export function RecordCard(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly status: string;
  readonly cardFields: readonly string[];
  readonly handle?: Handle | undefined;
}) {
  const { entity, status, cardFields, handle } = props;
  // The card may just have been moved, and its record does not have to contain the status.
  const record = { ...props.record, [entity.scope.statusField ?? '']: status };
  return (
    <Paper withBorder p="xs" shadow="xs">
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <Text size="sm" fw={600} component="div" style={{ overflowWrap: 'anywhere' }}>
          <RecordCell entity={entity} record={record} name="name" />
        </Text>
        {handle === undefined ? null : (
          <ActionIcon
            variant="subtle"
            size="sm"
            style={{ touchAction: 'none', cursor: 'grab' }}
            {...handle}
          >
            <IconGripVertical size={14} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      <Stack gap={2}>
        {cardFields.map((name) => (
          <Text key={name} size="xs" component="div" truncate title={entity.labelOf(name)}>
            {entity.fields[name]?.type === 'currency' ? (
              <Money record={record} name={name} style="short" />
            ) : (
              <RecordCell record={record} name={name} entity={entity} />
            )}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}

export function nameOfCard(record: AnyRecord): string {
  return typeof record['name'] === 'string' && record['name'] ? record['name'] : record.id;
}
