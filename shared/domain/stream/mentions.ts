import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import { isId } from '../field/types/link/read-link.ts';
import type { Change, RecordEvent } from '../record/record-event.ts';
import type { AttributeValue } from '../value/attribute-values.ts';
import { mentionedUserIds } from './user-mentions.ts';

/**
 * A record's links to users and teams. Only the record's own stream shows these links, because users and teams have no
 * events in streams.
 */
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

/**
 * The attribute with files, for entity types whose events never appear in the streams of linked records: posts appear
 * there anyway, and users have no events in streams. Mentions by these types show which files were added. Posts also mention
 * users.
 */
const filesOnly: ReadonlyMap<string, string> = new Map([
  ['Note', 'attachmentsIds'],
  ['User', 'avatarId'],
]);

/**
 * Returns the ids that an event links to its record or unlinks from it. The event appears in the streams of the records
 * with these ids, the ids show which files the record has held, and users are notified of posts that mention them. Uses only attribute names, so that the result does
 * not depend on the field definitions at the time of the call.
 */
export function mentionedIds(
  { type, recordId, changes }: Pick<RecordEvent, 'type' | 'recordId' | 'changes'>,
  { name, isPost, log, isInternal }: EntityDefinition,
): readonly string[] {
  if (type === 'Deleted' || isInternal === true) return [];
  const isStreamed = log === 'records' && isPost !== true;
  const isMentioned = isStreamed
    ? namesRecords
    : (attribute: string) =>
        attribute === filesOnly.get(name) || (isPost === true && attribute === 'data');
  // Most events link nothing, and this code runs for every event.
  const links = changes.filter(
    ({ attribute, before, after }) => !(isNone(before) && isNone(after)) && isMentioned(attribute),
  );
  if (links.length === 0) return [];
  const ids = links.flatMap((change) => {
    if (isPost === true && change.attribute === 'data') return newlyMentioned(change);
    const { added, removed } = linkedBy(change);
    return [...added, ...removed];
  });
  return [...new Set(ids)].filter((id) => id !== recordId).toSorted();
}

/**
 * Returns whether every event of an entity type that links or unlinks a record with this attribute mentions the record.
 */
export function areLinksMentioned(
  { log, isPost, isInternal }: EntityDefinition,
  attribute: string,
): boolean {
  const isStreamed = log === 'records' && isPost !== true && isInternal !== true;
  return isStreamed && namesRecords(attribute);
}

/** Returns the users whom a post mentions since this change of its `data`. They are notified of it. */
function newlyMentioned({ before, after }: Change): readonly string[] {
  const mentioned = mentionedUserIds(before);
  return mentionedUserIds(after).filter((id) => !mentioned.includes(id) && isId(id));
}

/** Returns the ids linked and unlinked by one change; empty if the attribute does not contain record ids. */
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
