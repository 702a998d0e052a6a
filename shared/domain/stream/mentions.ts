import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import { isId } from '../field/types/link/read-link.ts';
import type { Change, RecordEvent } from '../record/record-event.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/** Links to people who work with a record. The record's own stream covers them, and users and teams have no stream. */
const ofPeople: ReadonlySet<string> = new Set([
  'assignedUserId',
  'assignedUsersIds',
  'collaboratorsIds',
  'createdById',
  'modifiedById',
  'teamsIds',
  'userId',
  'usersIds',
]);

/** True if events of this entity type can mention records in whose streams they then appear. Posts are there anyway. */
export function mayMention({ isPost, log, isInternal }: EntityDefinition): boolean {
  return log === 'records' && isInternal !== true && isPost !== true;
}

/**
 * Returns the ids that an event links to its record or unlinks from it. Depends on attribute names only, so that the
 * result is independent of the field definitions at the time of computation.
 */
export function mentionedIds({
  type,
  recordId,
  changes,
}: Pick<RecordEvent, 'type' | 'recordId' | 'changes'>): readonly string[] {
  if (type === 'Deleted') return [];
  // Fast path: this runs for every event, and most of them link nothing.
  const links = changes.filter(
    ({ attribute, before, after }) => !(isNone(before) && isNone(after)) && namesRecords(attribute),
  );
  if (links.length === 0) return [];
  const ids = links.flatMap((change) => {
    const { added, removed } = linkedBy(change);
    return [...added, ...removed];
  });
  return [...new Set(ids)].filter((id) => id !== recordId).toSorted();
}

/** Returns the ids linked and unlinked by one change; empty if the attribute holds no record ids. */
export function linkedBy({ attribute, before, after }: Change): {
  readonly added: readonly string[];
  readonly removed: readonly string[];
} {
  if (!namesRecords(attribute)) return nothing;
  const [was, became] = [toIds(before), toIds(after)];
  return {
    added: became.filter((id) => !was.includes(id)),
    removed: was.filter((id) => !became.includes(id)),
  };
}

const nothing = { added: [], removed: [] };

function namesRecords(attribute: string): boolean {
  return (attribute.endsWith('Id') || attribute.endsWith('Ids')) && !ofPeople.has(attribute);
}

function isNone(value: AttributeValue | undefined): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function toIds(value: AttributeValue | undefined): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((id) => typeof id === 'string' && isId(id)).map(String);
}
