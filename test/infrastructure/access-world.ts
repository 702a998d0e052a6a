import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { firstIdOf, numberAt } from '../../shared/domain/stream/stream-number.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../shared/domain/value/attribute-values.ts';
import type { RandomSource } from '../support/builders/random-source.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../support/builders/record-event-builder.ts';
import { linkedAttributes, type Scope } from './access-attributes.ts';
import {
  type Drawing,
  drawField,
  fieldsOf,
  type Member,
  some,
  start,
  teamIds,
} from './access-fields.ts';
import { type StoredRecord, timeOf } from './access-model.ts';
import type { QueryExample } from './query-example.ts';
import { storeEvents } from './query-history-example.ts';

interface Post {
  readonly id: string;
  readonly parent: StoredRecord;
  readonly createdById: string;
}

export interface World {
  readonly members: readonly Member[];
  readonly records: readonly StoredRecord[];
  readonly posts: readonly Post[];
  /** Whether a user explicitly followed (true) or unfollowed (false) a record; undefined without a choice. */
  followChoice(userId: string, recordId: string): boolean | undefined;
  /** The record and the field of each marked text. */
  readonly marks: ReadonlyMap<string, Mark>;
}

interface Mark {
  readonly scope: string;
  readonly id: string;
  readonly field: string;
}

const counts: Readonly<Record<Scope, number>> = {
  Account: 9,
  Contact: 12,
  Case: 10,
  Task: 8,
  Opportunity: 8,
};
const markPattern = /m\d{6}/g;

/** Returns the marks in a response. */
export function marksIn(text: string): readonly string[] {
  return [...new Set(text.match(markPattern))];
}

/**
 * Stores random users, teams and records; each of their texts is a mark that identifies its record and field.
 */
export async function storeWorld(example: QueryExample, random: RandomSource): Promise<World> {
  const marks = new Map<string, Mark>();
  const mark = (scope: string, id: string, field: string) => {
    let text: string;
    do text = `m${String(random.int(1_000_000)).padStart(6, '0')}`;
    while (marks.has(text));
    marks.set(text, { scope, id, field });
    return text;
  };
  const members = ['u1', 'u2', 'u3', 'u4', 'u5', 'boss'].map((id) => ({
    id,
    type: id === 'boss' ? 'admin' : random.pick(['api', 'regular']),
    isActive: random.chance(0.8),
    teamIds: some(random, teamIds),
  }));
  const records: StoredRecord[] = [];
  const drawing = { random, members, records, mark };
  for (const scope of ['Account', 'Contact', 'Case', 'Task', 'Opportunity'] as const) {
    for (let index = 0; index < counts[scope]; index++) {
      records.push(drawRecord(scope, `${scope.toLowerCase()}${index}`, drawing));
    }
  }
  await storeDirectory(example, members, mark);
  for (const record of records) await storeRecord(example, record);
  const posts = await storePosts(example, drawing);
  const followChoice = await storeFollowing(example, drawing);
  return { members, records, posts, followChoice, marks };
}

function drawRecord(scope: Scope, id: string, drawing: Drawing): StoredRecord {
  const { random, members } = drawing;
  const actorId = random.pick(members).id;
  const created = aCreation(
    scope,
    withWorth(
      Object.assign(
        {},
        ...fieldsOf[scope].map((field) => drawField(field, { scope, id }, drawing)),
      ),
      {},
    ),
    { recordId: id, actorId, occurredAt: start + random.int(1_000) * 1_000 },
  );
  const events = [created];
  const values: Record<string, AttributeValue> = valuesAfter(created);
  for (let count = random.int(4); count > 0; count--) {
    const drawn = some(random, fieldsOf[scope], 0.25).map((field) =>
      drawField(field, { scope, id }, drawing),
    );
    const changed = withWorth(Object.assign({}, ...drawn), values);
    const changes = Object.entries(changed).map(([attribute, after]) => ({
      attribute,
      before: values[attribute] ?? null,
      after,
    }));
    const last = events.at(-1) ?? created;
    events.push(anUpdateAfter(last, {}, { changes, actorId: random.pick(members).id }));
    Object.assign(values, changed);
  }
  const deleted = random.chance(0.1);
  const number = scope === 'Case' ? { number: Number(id.replace('case', '')) } : {};
  if (deleted) events.push(aDeletionAfter(events.at(-1) ?? created));
  return {
    scope,
    id,
    deleted,
    events,
    values: { ...values, ...number, createdById: actorId, createdAt: timeOf(created.occurredAt) },
  };
}

/** Adds the amount weighted by its probability. */
function withWorth(
  changed: Readonly<Record<string, AttributeValue>>,
  values: AttributeValues,
): Readonly<Record<string, AttributeValue>> {
  const { amount, probability } = { ...values, ...changed };
  if (changed['amount'] === undefined && changed['probability'] === undefined) return changed;
  const isKnown = typeof amount === 'number' && typeof probability === 'number';
  const amountWeightedConverted = isKnown ? Math.round(amount * probability) / 100 : null;
  return { ...changed, amountWeightedConverted };
}

function valuesAfter({ changes }: RecordEvent): Record<string, AttributeValue> {
  return Object.fromEntries(changes.map(({ attribute, after }) => [attribute, after]));
}

async function storeRecord(example: QueryExample, record: StoredRecord): Promise<void> {
  const { scope, id, deleted, events } = record;
  const columns = Object.entries(record.values).filter(
    ([name]) => linkedAttributes[scope][name] === undefined,
  );
  await example.store(scope, {
    ...Object.fromEntries(columns),
    id,
    deleted,
    version: events.length,
    modifiedAt: timeOf(events.at(-1)?.occurredAt ?? start),
  });
  await storeEvents(example, events);
}

async function storeDirectory(
  { addToDirectory, store }: QueryExample,
  members: readonly Member[],
  mark: Drawing['mark'],
): Promise<void> {
  for (const id of teamIds) {
    await store('Team', { id, name: id, description: mark('Team', id, 'description') });
  }
  for (const { id, type, isActive, teamIds: teamsIds } of members) {
    const values = { userName: id, name: `Name of ${id}`, type, isActive, teamsIds };
    addToDirectory('User', id, values);
    await store('User', { id, ...values, passwordHash: mark('User', id, 'passwordHash') });
  }
}

async function storePosts(
  { store }: QueryExample,
  { random, members, records, mark }: Drawing,
): Promise<readonly Post[]> {
  const posts: Post[] = [];
  for (let index = 0; index < 20; index++) {
    const parent = random.pick(records);
    const at = start + index * 1_500;
    const post = { id: firstIdOf(numberAt(at)), parent, createdById: random.pick(members).id };
    posts.push(post);
    await store('Note', {
      id: post.id,
      type: 'Post',
      post: mark('Note', post.id, 'post'),
      createdAt: timeOf(at),
      modifiedAt: timeOf(at),
      createdById: post.createdById,
      parentType: parent.scope,
      parentId: parent.id,
    });
  }
  return posts;
}

async function storeFollowing(
  { store }: QueryExample,
  { random, members, records }: Drawing,
): Promise<World['followChoice']> {
  const followChoice = new Map<string, boolean>();
  for (const { id: entityId, scope: entityType } of records) {
    for (const { id: userId } of members.filter(() => random.chance(0.2))) {
      const isFollowed = random.chance(0.6);
      followChoice.set(`${userId} ${entityId}`, isFollowed);
      const id = `${entityId}.${userId}.${entityType}`;
      await store('StreamSubscription', { id, entityType, entityId, userId, isFollowed });
    }
  }
  return (userId, recordId) => followChoice.get(`${userId} ${recordId}`);
}
