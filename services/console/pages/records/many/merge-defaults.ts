import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { isEmptyIn } from '../../../fields/field-types.ts';

/** Returns the id of the oldest record, which a merge keeps unless the user chooses another one. */
export function oldestOf(records: readonly AnyRecord[]): string {
  const [oldest] = records.toSorted((one, other) => compare(createdAt(one), createdAt(other)));
  return oldest?.id ?? '';
}

/** Returns the id of the record whose value of the field is kept by default: the target, or the first with a value. */
export function defaultSourceOf(
  { entity, name }: { readonly entity: Entity; readonly name: string },
  records: readonly AnyRecord[],
  targetId: string,
): string {
  const target = records.find(({ id }) => id === targetId);
  if (target === undefined || !isEmptyIn(entity, name, target)) return targetId;
  return records.find((record) => !isEmptyIn(entity, name, record))?.id ?? targetId;
}

/** The API's times sort as text. Records without a time come last. */
function createdAt(record: AnyRecord): string {
  const time = record['createdAt'];
  return typeof time === 'string' ? time : '~';
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
