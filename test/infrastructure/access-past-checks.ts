import { expect } from 'vitest';
import type { Change, RecordEvent } from '../../shared/domain/record/record-event.ts';
import { sameValue } from '../../shared/domain/value/attribute-values.ts';
import { attributesOf } from './access-attributes.ts';
import { pick } from './access-list-checks.ts';
import {
  emptyOf,
  isChangeVisible,
  isOpen,
  levelOf,
  listOf,
  mayRead,
  type StoredRecord,
  seesStream,
  shownOfPast,
  timeOf,
  type Viewer,
} from './access-model.ts';
import type { Reader } from './access-reader.ts';
import { followersOf, readRefusal } from './access-record-checks.ts';

type Row = Readonly<Record<string, unknown>>;

/** Checks of reads of past events and states. */
export const pastChecks: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  'a history': checkHistory,
  'a record as of a time': checkAsOf,
  'the stream of a record': checkRecordStream,
  'the stream of followed records': checkOwnStream,
  posts: checkPosts,
};

/** Returns the modelled attributes of an event that the viewer may see. */
function visibleChanges(
  viewer: Viewer,
  { scope }: StoredRecord,
  event: RecordEvent,
): readonly Change[] {
  return event.changes
    .map(({ attribute, before, after }) => {
      const empty = emptyOf(attribute);
      return { attribute, before: before ?? empty, after: after ?? empty };
    })
    .filter(
      ({ attribute, before, after }) =>
        !sameValue(before, after) && isChangeVisible(viewer, scope, toKnown(attribute)),
    );
}

/** All attributes of a field are open or closed together. */
function toKnown(attribute: string): string {
  return attribute === 'emailAddressData' ? 'emailAddress' : attribute;
}

/** The author of an event is visible if `createdBy` or `modifiedBy` of the record is. */
function isAuthorVisible(
  viewer: Viewer,
  { scope }: StoredRecord,
  { type, actorId }: RecordEvent,
): boolean {
  return (
    actorId === viewer.id || isOpen(viewer, scope, type === 'Created' ? 'createdBy' : 'modifiedBy')
  );
}

async function checkHistory(reader: Reader): Promise<void> {
  const { random, viewer, world } = reader;
  const record = random.pick(world.records);
  const path = `/${record.scope}/${record.id}/history?order=asc&maxSize=200`;
  const { status, body } = await reader.read(path);
  expect(status, path).toBe(readRefusal(viewer, record) ?? 200);
  if (status !== 200) return;
  const expected = record.events.map((event) => ({
    version: event.version,
    type: event.type.toLowerCase(),
    byId: isAuthorVisible(viewer, record, event) ? event.actorId : null,
    changes: visibleChanges(viewer, record, event).map((change) =>
      event.type === 'Created' ? { ...change, before: null } : change,
    ),
  }));
  expect(body.list, path).toMatchObject(expected);
}

async function checkAsOf(reader: Reader): Promise<void> {
  const { random, viewer, world } = reader;
  const record = random.pick(world.records);
  const event = random.pick(record.events);
  const path = `/${record.scope}/${record.id}?asOf=${encodeURIComponent(timeOf(event.occurredAt))}`;
  const { status, body } = await reader.read(path);
  const isGone = event.type === 'Deleted' ? 404 : undefined;
  expect(status, path).toBe(readRefusal(viewer, record) ?? isGone ?? 200);
  if (status !== 200) return;
  const { accountType: _, ...shown } = body;
  const expected = shownOfPast(viewer, record, event.version);
  expect(pick(shown, attributesOf(record.scope)), path).toEqual(expected);
}

/** Returns the stream items of the record's changes, by item id. */
function itemsOf(viewer: Viewer, record: StoredRecord): ReadonlyMap<string, Row> {
  const items = new Map<string, Row>();
  for (const event of record.events) {
    for (const [index, item] of toldItems(viewer, record, event).entries()) {
      const id = `${record.id}.${event.version}${index === 0 ? '' : `.${index}`}`;
      items.set(id, {
        ...item,
        createdById: isAuthorVisible(viewer, record, event) ? event.actorId : null,
      });
    }
  }
  return items;
}

function toldItems(viewer: Viewer, record: StoredRecord, event: RecordEvent): readonly Row[] {
  if (event.type === 'Deleted') return [];
  const changes = visibleChanges(viewer, record, event);
  const after = (name: string) => changes.find(({ attribute }) => attribute === name)?.after;
  const assigned = after('assignedUserId');
  const assignment = assigned === undefined ? {} : { assignedUserId: assigned };
  if (event.type === 'Created') return [{ type: 'Create', data: assignment }];
  const relations = /^(accounts|contacts)(Ids|Names|Columns)$/;
  const repeats = (change: Change): boolean =>
    change.attribute === 'lastStage' && change.after === after('stage');
  const own = changes.filter(
    (change) =>
      change.attribute !== 'assignedUserId' &&
      !relations.test(change.attribute) &&
      !repeats(change),
  );
  const side = (of: 'before' | 'after') =>
    Object.fromEntries(own.map((change) => [change.attribute, change[of]]));
  const attributes = { was: side('before'), became: side('after') };
  return [
    ...(own.length === 0 ? [] : [{ type: 'Update', data: { attributes } }]),
    ...(assigned === undefined ? [] : [{ type: 'Assign', data: assignment }]),
    ...changes.flatMap(relationItems),
  ];
}

function relationItems({ attribute, before, after }: Change): readonly Row[] {
  if (attribute !== 'accountsIds' && attribute !== 'contactsIds') return [];
  const without = (ids: readonly string[], others: readonly string[]) =>
    ids.filter((id) => !others.includes(id));
  return [
    { type: 'Unrelate', data: { relatedIds: without(listOf(before), listOf(after)) } },
    { type: 'Relate', data: { relatedIds: without(listOf(after), listOf(before)) } },
  ].filter(({ data }) => data.relatedIds.length > 0);
}

async function checkRecordStream(reader: Reader): Promise<void> {
  const { random, viewer, world } = reader;
  const record = random.pick(world.records);
  const path = `/${record.scope}/${record.id}/stream?maxSize=200`;
  const { status, body } = await reader.read(path);
  const isClosed = seesStream(viewer, record) ? undefined : 403;
  const hasNoStream = levelOf(viewer, record.scope, 'stream') === 'no' ? 403 : undefined;
  expect(status, path).toBe(hasNoStream ?? readRefusal(viewer, record) ?? isClosed ?? 200);
  if (status !== 200) return;
  expectItems(reader, { path, body, records: [record] });
  expect(body.total, path).toBe(body.list.length);
}

async function checkOwnStream(reader: Reader): Promise<void> {
  const { viewer, world } = reader;
  const path = '/Stream?maxSize=200';
  const { status, body } = await reader.read(path);
  expect(status, path).toBe(200);
  expect(body.total, 'more than a page').toBe(-2);
  const records = world.records.filter(
    (one) => !one.deleted && seesStream(viewer, one) && follows(reader, one),
  );
  expectItems(reader, { path, body, records });
}

function follows(reader: Reader, record: StoredRecord): boolean {
  return followersOf(reader, record).includes(reader.viewer.id);
}

function expectItems(
  { viewer, world }: Reader,
  answer: {
    readonly path: string;
    readonly body: { readonly list: readonly (Row & { readonly id: string })[] };
    readonly records: readonly StoredRecord[];
  },
): void {
  const { path, body, records } = answer;
  const posts = world.posts
    .filter(({ parent }) => records.includes(parent))
    .map(({ id, createdById }) => [id, { type: 'Post', createdById }] as const);
  const expected = new Map<string, Row>([
    ...records.flatMap((record) => [...itemsOf(viewer, record)]),
    ...posts,
  ]);
  expect(body.list.map(({ id }) => id).toSorted(), path).toEqual([...expected.keys()].toSorted());
  for (const item of body.list) {
    const { data = {}, ...more } = expected.get(item.id) ?? {};
    expect(item, `${path} ${item.id}`).toMatchObject(more);
    expect(item['data'], `${path} ${item.id}`).toMatchObject(data as Row);
    const { attributes } = data as { readonly attributes?: Row };
    if (attributes !== undefined) expect(item['data']).toHaveProperty('attributes', attributes);
  }
}

async function checkPosts(reader: Reader): Promise<void> {
  const { viewer, world } = reader;
  const { status, body } = await reader.read('/Note?orderBy=id&maxSize=200');
  const readable = world.posts.filter(
    ({ createdById, parent }) =>
      viewer.type === 'admin' ||
      createdById === viewer.id ||
      (!parent.deleted && seesStream(viewer, parent)),
  );
  expect(status).toBe(200);
  expect(
    body.list.map(({ id }: Row) => id),
    'posts',
  ).toEqual(readable.map(({ id }) => id).toSorted());
  for (const post of body.list as readonly Row[]) {
    const parent = world.posts.find(({ id }) => id === post['id'])?.parent;
    if (parent === undefined) throw new Error('no such post');
    const isNamed = mayReadDeletedToo(viewer, parent) && isOpen(viewer, parent.scope, 'name');
    expect(post['parentName'], 'a parent').toBe(isNamed ? (parent.values['name'] ?? null) : null);
  }
}

function mayReadDeletedToo(viewer: Viewer, record: StoredRecord): boolean {
  return mayRead(viewer, { ...record, deleted: false });
}
