import { Badge, Text } from '@mantine/core';
import { useTypeLabel } from '../../api/metadata.ts';
import type { RejectedEntry } from '../../api/system.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';

/** The record that an entry quarantines. */
export function QuarantinedRecord({ entry }: { readonly entry: RejectedEntry }) {
  const typeLabel = useTypeLabel();
  const { entityType, recordId } = entry;
  if (entityType === null || recordId === null) return '–';
  return (
    <Text span inherit>
      {typeLabel(entityType)} <RecordLink entity={entityType} id={recordId} name={recordId} />
    </Text>
  );
}

/** Shows whether an administrator has to act on an entry. */
export function RejectedState({ entry }: { readonly entry: RejectedEntry }) {
  const t = useText();
  const [text, color] = entry.acknowledged
    ? (['log.stateAcknowledged', 'gray'] as const)
    : entry.recordId === null
      ? (['log.stateOpen', 'red'] as const)
      : (['log.stateQuarantined', 'yellow'] as const);
  return (
    <Badge variant="dot" color={color} tt="none" radius="sm" miw="max-content">
      {t(text)}
    </Badge>
  );
}
