import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { createFoldFunctions, foldedWhole } from '../../shared/db/sql/folded-text.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  await withClient(database.url, async (client) => {
    await client.query('create schema annals');
    await client.query(createFoldFunctions('annals', 18));
  });
});

afterAll(async () => database.drop());

async function fold(texts: readonly string[]): Promise<readonly string[]> {
  return withClient(database.url, async (client) => {
    const { rows } = await client.query<{ folded: string }>(
      `select ${foldedWhole('given')} as folded from unnest($1::text[]) with ordinality g(given, place) order by place`,
      [texts],
    );
    return rows.map(({ folded }) => folded);
  });
}

/** Returns spellings of a text that a search must treat as equal. */
const spellings = [
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  (text: string) => text.toUpperCase().toLowerCase(),
  (text: string) => text.normalize('NFD'),
  (text: string) => text.normalize('NFC'),
  (text: string) => text.toUpperCase().normalize('NFD'),
];

async function findDifferences(texts: readonly string[]): Promise<readonly string[]> {
  const own = await fold(texts);
  const differences = await Promise.all(
    spellings.map(async (spell) => {
      const other = await fold(texts.map(spell));
      return texts.filter((_, index) => own[index] !== other[index]);
    }),
  );
  return [...new Set(differences.flat())];
}

/** Every character that both Node and Postgres support, because newer Unicode versions add letters. */
async function knownCharacters(): Promise<readonly string[]> {
  const all = Array.from({ length: 0x10ffff }, (_, index) => index + 1)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
  const known = all.filter((character) => /[^\p{Cn}\p{Co}]/u.test(character));
  const cases = known.map((one) => one + one.toUpperCase() + one.toLowerCase());
  return withClient(database.url, async (client) => {
    const { rows } = await client.query<{ known: boolean }>(
      'select unicode_assigned(cases) as known from unnest($1::text[]) with ordinality g(cases, place) order by place',
      [cases],
    );
    return known.filter((_, index) => rows[index]?.known === true);
  });
}

describe('case folding in Postgres', () => {
  it('equals folding in Node for every composed and decomposed character', async () => {
    const characters = await knownCharacters();
    expect(characters.length).toBeGreaterThan(100_000);
    expect(await findDifferences(characters)).toEqual([]);
  });

  it('equals folding in Node for random texts of cased characters and combining marks', async () => {
    const random = createRandomSource(36);
    // The uppercase form of a subscript iota is a letter, which may come before or after the following marks.
    const isOdd = (one: string) =>
      (one.toLowerCase() !== one.toUpperCase() || /\p{M}/u.test(one)) &&
      !one.normalize('NFD').includes('\u0345');
    const odd = (await knownCharacters()).filter(isOdd);
    const texts = Array.from({ length: 20_000 }, () =>
      Array.from({ length: 1 + random.int(6) }, () => random.pick(odd)).join(''),
    );
    expect(await findDifferences(texts)).toEqual([]);
  });

  it.each([
    ['ΟΔΥΣΣΕΥΣ ΟΔΟΣ', 'οδυσσευσ οδοσ'],
    ['Straße', 'strasse'],
    ['ﬁn', 'fin'],
    ['İstanbul', 'i\u0307stanbul'],
    ['ISPARTA ısparta', 'isparta isparta'],
    ['E\u0301lan', 'élan'],
    ['Ann O\\%_', 'ann o\\%_'],
  ])('folds %s to %s', async (text, folded) => {
    expect(await fold([text])).toEqual([folded]);
  });
});
