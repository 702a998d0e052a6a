import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createRandomSource } from '../support/builders/random-source.ts';
import { checkCalendar } from './access-calendar-checks.ts';
import { checkList } from './access-list-checks.ts';
import { pastChecks } from './access-past-checks.ts';
import { drawReader } from './access-reader.ts';
import { checkLinked, checkSingle } from './access-record-checks.ts';
import { searchChecks } from './access-search-checks.ts';
import { storeWorld, type World } from './access-world.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

/** The first seed, or one to reproduce. `TEST_SEEDS` sets the number of seeds. */
const firstSeed = Number(process.env['TEST_SEED'] ?? 20_261_121);
const seedCount = Number(process.env['TEST_SEEDS'] ?? Math.ceil(3 * inject('seedShare')));
const rounds = inject('seedShare') < 1 ? 24 : 80;

const checks = {
  'a list': checkList,
  'a single read': checkSingle,
  'a list of linked records': checkLinked,
  'a calendar': checkCalendar,
  ...searchChecks,
  ...pastChecks,
};

describe.each(Array.from({ length: seedCount }, (_, index) => firstSeed + index))(
  'access rules with TEST_SEED=%i',
  (seed) => {
    const random = createRandomSource(seed);
    let example: QueryExample;
    let world: World;

    beforeAll(async () => {
      example = await startQueryExample(inject('databaseUrl'));
      await example.createTables();
      world = await storeWorld(example, random);
    });
    afterAll(async () => example.close());

    it.each(Object.entries(checks))(
      'show every reader exactly what their roles allow in %s',
      async (_name, check) => {
        let answered = 0;
        for (let round = 0; round < rounds; round++) {
          const reader = drawReader(example, world, random);
          await check({
            ...reader,
            async read(path) {
              const answer = await reader.read(path);
              answered += answer.status === 200 ? 1 : 0;
              return answer;
            },
          });
        }
        // A run in which most requests are rejected would prove little.
        expect(answered).toBeGreaterThan(rounds / 5);
      },
    );
  },
);
