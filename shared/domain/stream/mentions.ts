import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import { isId } from '../field/types/link/read-link.ts';
import type { Change, RecordEvent } from '../record/record-event.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/** Links to people who work with a record. Its own stream tells of them, and users and teams have no stream. */
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

/** Whether events of this entity type can link records whose streams then mention it. Posts are in streams anyway. */
export function mayMention({ isPost, log, isInternal }: EntityDefinition): boolean {
  return log === 'records' && isInternal !== true && isPost !== true;
}

/**
 * The ids that an event links to its record or unlinks from it. It uses the names of attributes alone, so that the
 * result does not depend on how fields are defined when it is computed.
 */
export function mentionedIds({
  type,
  recordId,
  changes,
}: Pick<RecordEvent, 'type' | 'recordId' | 'changes'>): readonly string[] {
  if (type === 'Deleted') return [];
  // Most events link nothing, and every event passes here.
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

/** The ids that one change of an attribute links and unlinks; none if it holds no ids of records. */
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
