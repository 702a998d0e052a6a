import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { notificationMarksType } from '../../shared/domain/notifications/notification-marks.ts';
import { numberAt } from '../../shared/domain/stream/stream-number.ts';
import { formatDateTime } from '../../shared/domain/value/date-time.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { storeEvents } from './query-history-example.ts';

const RECORDS = 30_000;
/** Followed records, of which some changed lately. */
const FOLLOWED = 1_000;
const CHANGED = 150;
const MINUTE_MS = 60_000;
const idOf = (number: number) => number.toString(16).padStart(17, '0');
/** A whole second, because `modified_at` contains no fractions, and all changes have the same one. */
const now = Math.floor(Date.now() / 1_000) * 1_000;
const reader = buildActor(
  { id: 'reader', name: 'Reader', userName: 'reader', type: 'regular', teamIds: ['team'] },
  [
    {
      entityType: 'Role',
      id: 'r',
      version: 1,
      deleted: false,
      values: { data: { Account: { read: 'all' }, Lead: { read: 'own' }, Case: { read: 'team' } } },
    },
  ],
);
let example: QueryExample;

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  example.addActor(reader);
  await example.createTables();
  const { pool } = example;
  const changedAt = formatDateTime(now - MINUTE_MS);
  await pool.query(`
    insert into annals.account (id, version, deleted, name, created_at, modified_at, created_by_id)
    select lpad(to_hex(n), 17, '0'), case when n <= ${CHANGED} then 2 else 1 end, false, 'Account ' || n,
      timestamp '2020-01-01', case when n <= ${CHANGED} then timestamp '${changedAt}' else timestamp '2020-01-01' end, 'other'
    from generate_series(1, ${RECORDS}) n`);
  await pool.query(`
    insert into annals.stream_subscription (id, version, deleted, created_at, entity_type, entity_id, user_id, is_followed)
    select lpad(to_hex(n), 17, '0') || '.' || u || '.Account', 1, false, timestamp '2020-01-01', 'Account',
      lpad(to_hex(n), 17, '0'), u, true
    from generate_series(1, ${FOLLOWED}) n, unnest(array['reader', 'one', 'two', 'three']) u`);
  await pool.query(`
    insert into annals.note (id, version, deleted, post, type, parent_type, parent_id, created_at, created_by_id, data)
    select lpad(to_hex(n), 17, '0'), 1, false, 'Post ' || n, 'Post', 'Account', lpad(to_hex(n), 17, '0'),
      timestamp '2020-01-01', 'other', '{"mentions": {"@reader": {"id": "reader"}}}'
    from generate_series(1, ${RECORDS}) n`);
  await pool.query(`
    insert into annals.stream_mentions (record_id, number, entity_type, by_id, version)
    select case n % 100 when 0 then 'reader' else 'user' || n % 100 end, n, 'Note', lpad(to_hex(n), 17, '0'), 1
    from generate_series(1, ${RECORDS}) n`);
  await pool.query(`
    insert into annals.record_history (entity_type, record_id, version, event)
    select 'Lead', lpad(to_hex(n), 17, '0'), 1, '\\x00' from generate_series(1, ${RECORDS}) n`);
  for (let number = 1; number <= CHANGED; number += 1) {
    const created = aCreation('Account', { name: 'A' }, { recordId: idOf(number), occurredAt: 0 });
    const occurredAt = now - MINUTE_MS + number;
    await storeEvents(example, [created, anUpdateAfter(created, { name: 'B' }, { occurredAt })]);
  }
  await pool.query('analyze');
});
afterAll(async () => example.close());

const count = async () => {
  const { status, body, text } = await example.get('/Notification/action/notReadCount', {
    'x-actor': reader.id,
  });
  expect(status, text).toBe(200);
  return body;
};

it('the count stops at 100 and follows the read marks', async () => {
  expect(await count()).toBe(100);
  const upTo = numberAt(now - MINUTE_MS + CHANGED - 20);
  example.addToDirectory(notificationMarksType, reader.id, { read: `0-${upTo + 4_095}` });
  expect(await count()).toBe(20);
  const last = numberAt(now);
  example.addToDirectory(notificationMarksType, reader.id, { read: `0-${last}` });
  expect(await count()).toBe(0);
});

it('the count uses indexes for a user who follows 1,000 of many records', async () => {
  example.addToDirectory(notificationMarksType, reader.id, { read: '' });
  const query = vi.spyOn(example.pool, 'query');
  await count();
  const statements = query.mock.calls.map(([statement]) => statement as unknown) as {
    readonly text: string;
    readonly values: unknown[];
  }[];
  query.mockRestore();
  expect(statements.length).toBeLessThan(10);
  for (const { text, values } of statements) {
    const { rows } = await example.pool.query(`explain (analyze, format json) ${text}`, values);
    const plan = JSON.stringify(rows);
    const [{ 'QUERY PLAN': plans }] = rows as [{ 'QUERY PLAN': [{ 'Execution Time': number }] }];
    expect(scannedTables(plan), text).toEqual([]);
    expect(plans[0]['Execution Time'], text).toBeLessThan(1_000);
  }
});

/** Returns the large tables that a plan reads completely. */
function scannedTables(plan: string): readonly string[] {
  const tables = ['account', 'note', 'record_history', 'stream_mentions'];
  return tables.filter((table) =>
    new RegExp(`"Node Type":"Seq Scan"[^{}]*"Relation Name":"${table}"`).test(plan),
  );
}
