import type { Change } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';

const MAX_VALUE_LENGTH = 60;

/**
 * `2026-11-20T10:00:00.000Z Account 0ca7… v2 Updated by admin: name "A" → "B"`. Without what a creation leaves empty,
 * which is most of a record.
 */
export function toEventLine(event: LoggedEvent): string {
  const { occurredAt, entityType, recordId, version, type, actorId, changes } = event;
  const changed = changes
    .filter((change) => !staysEmpty(change))
    .map(({ attribute, before, after }) => `${attribute} ${toShort(before)} → ${toShort(after)}`);
  const what = `${entityType} ${recordId} v${version} ${type} by ${actorId}`;
  const text = `${new Date(occurredAt).toISOString()} ${what}`;
  return changed.length === 0 ? text : `${text}: ${changed.join(', ')}`;
}

function staysEmpty({ before, after }: Change): boolean {
  return before === null && ['null', 'false', '[]', '{}'].includes(JSON.stringify(after));
}

function toShort(value: AttributeValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
