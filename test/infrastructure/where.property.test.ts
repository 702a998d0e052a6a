import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { viewFor } from '../../shared/search/record-view.ts';
import { createBinder } from '../../shared/search/where/binder.ts';
import { compileWhere } from '../../shared/search/where/compile-where.ts';
import { readWhereItems } from '../../shared/search/where/where-item.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { fiscalYearShift } from './date-evaluation.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { holds, type TestedCondition } from './where-evaluation.ts';
import { type StoredRecord, storeSampleRecords } from './where-records.ts';
import { randomConditions, subjects } from './where-subjects.ts';

/** A seed to reproduce, or the first of `TEST_SEEDS`. */
const firstSeed = Number(process.env['TEST_SEED'] ?? 20_240_310);
const seedCount = Number(process.env['TEST_SEEDS'] ?? Math.ceil(3 * inject('seedShare')));
const trees = inject('seedShare') < 1 ? 210 : 700;
const now = new Date('2024-03-10T15:30:00Z');

let example: QueryExample;
let stored: Awaited<ReturnType<typeof storeSampleRecords>>;

describe.each(Array.from({ length: seedCount }, (_, index) => firstSeed + index))(
  'conditions drawn with TEST_SEED=%i',
  (seed) => {
    const random = createRandomSource(seed);
    beforeAll(async () => {
      example = await startQueryExample(inject('databaseUrl'));
      stored = await storeSampleRecords(example, random, 60);
    });
    afterAll(async () => example.close());

    it('select the same records in Postgres as in a plain evaluation', async () => {
      let telling = 0;
      const differing: Readonly<Record<'where' | 'missing' | 'surplus', string>>[] = [];
      for (let index = 0; index < trees; index++) {
        const conditions = randomConditions(random);
        // In bracket notation every value is text.
        const sent = random.chance(0.5) ? conditions : toTexts(conditions);
        const expected = stored.samples
          .filter((one) => conditions.every((condition) => holdsFor(one, condition)))
          .map(({ id }) => id)
          .sort();
        const found = await select(sent);
        const missing = expected.filter((id) => !found.includes(id)).join(' ');
        const surplus = found.filter((id) => !expected.includes(id)).join(' ');
        const where = JSON.stringify(sent);
        if (missing + surplus !== '') differing.push({ where, missing, surplus });
        telling += found.length === 0 || found.length === stored.samples.length ? 0 : 1;
      }
      differing.sort((one, other) => one.where.length - other.where.length);
      expect(differing.slice(0, 5)).toEqual([]);
      // Conditions that select nothing or everything would prove little.
      expect(telling).toBeGreaterThan(trees / 3);
    });

    it('never cause a Postgres error, even if they are invalid', async () => {
      const types = [...new Set(Object.values(subjects).flatMap((subject) => subject.types))];
      const wrapped = ['textFilter', 'primary', 'bool', 'and', 'or'];
      const statuses = new Set<number>();
      for (let index = 0; index < trees; index++) {
        const item = {
          type: random.pick(random.chance(0.1) ? wrapped : types),
          attribute: random.pick(Object.keys(subjects)),
          value: random.pick(odd),
          timeZone: random.pick(['Pacific/Kiritimati', 'Etc/GMT+12']),
        };
        const { status } = await search([item]);
        expect(status, JSON.stringify(item)).toBeLessThan(500);
        statuses.add(status);
      }
      expect([...statuses].sort()).toEqual([200, 400]);
    });

    it('are rejected if they contain `not` at any depth', async () => {
      for (let depth = 0; depth < 5; depth++) {
        let item: object = { type: 'not', value: randomConditions(random) };
        for (let level = 0; level < depth; level++) {
          item = { type: random.pick(['and', 'or']), value: [item] };
        }
        const { status, body } = await search([item]);
        expect([status, body.code]).toEqual([400, 'where.invalid']);
      }
    });
  },
);

/** Values that a client may put anywhere, whether or not they make sense there. */
const odd: readonly unknown[] = [
  '\0',
  'a\\',
  '\ud83d',
  {},
  [],
  [['a']],
  null,
  true,
  1e308,
  '9999-12-31',
  '0001-01-01',
  '2024-01-01T00:00:00+14:00',
  ['\0'],
  ['0001-01-01', '9999-12-31'],
];

async function search(where: readonly object[]) {
  const searchParams = encodeURIComponent(JSON.stringify({ where, maxSize: 1 }));
  return example.get(`/Sample?searchParams=${searchParams}`);
}

function holdsFor(record: StoredRecord, condition: TestedCondition): boolean {
  return holds({ ...stored, now }, record, condition);
}

/** Evaluates at the test's own time, which the route does not accept. */
async function select(conditions: unknown): Promise<readonly string[]> {
  const { directory, pool } = example;
  const model = directory.entity('Sample');
  if (model === undefined) throw new Error('no Sample');
  const actor = buildActor(
    { id: 'admin', name: 'admin', userName: 'admin', type: 'admin', teamIds: [] },
    [],
  );
  const viewOf = (target: typeof model) => viewFor(actor, target, directory.entity);
  const binder = createBinder();
  const where = compileWhere(readWhereItems(conditions), {
    model,
    alias: 't',
    actor,
    view: viewOf(model),
    viewOf,
    findModel: directory.entity,
    binder,
    now: now.getTime(),
    timeZone: 'UTC',
    fiscalYearShift,
  });
  const { rows } = await pool.query<{ id: string }>(
    `select t.id from annals.sample t where ${where} order by t.id`,
    [...binder.values],
  );
  return rows.map(({ id }) => id);
}

/** Null has no text form; it is expressed by omission. */
function toTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTexts);
  if (value === null || typeof value !== 'object') return value === null ? null : String(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toTexts(one)]));
}
