import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { firstIdOf, numberAt } from '../../shared/domain/stream/stream-number.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { storeHistory } from './query-history-example.ts';

const LENGTH = 520_000;
/** The number of these texts, or of events with one, that fit into a page of 4 MiB. */
const TEXTS_OF_PAGE = 9;
const VERSIONS = 14;
const RECORDS = 25;

let example: QueryExample;
let changed: string;
let parent: string;

const textOf = (character: string) => character.repeat(LENGTH);

/** Returns the events of an account whose long description changes with each version. */
function aLargeLife(): readonly RecordEvent[] {
  const events = [aCreation('Account', { name: 'Large', description: textOf('a') })];
  for (let version = 2; version <= VERSIONS; version++) {
    const [last] = events.slice(-1);
    if (last === undefined) continue;
    const description = textOf(String.fromCharCode(96 + version));
    events.push(anUpdateAfter(last, { description }));
  }
  return events;
}

interface Answer {
  readonly total: number;
  readonly list: readonly Readonly<Record<string, unknown>>[];
}

async function read(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { status, body, text } = await example.get(path, headers);
  expect(status, text.slice(0, 500)).toBe(200);
  return body as Answer;
}

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  changed = await storeHistory(example, aLargeLife());
  parent = await storeHistory(example, [aCreation('Account', { name: 'Parent' })]);
  for (let index = 0; index < RECORDS; index++) {
    const id = `case${String(index).padStart(2, '0')}`;
    const values = { name: `Case ${index % 2}`, accountId: parent, number: index };
    const made = aCreation('Case', { ...values, description: textOf('"') });
    await storeHistory(example, [{ ...made, recordId: id }]);
    const at = Date.UTC(2030, 0, 3) + index * 1_000;
    const createdAt = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    const post = { id: firstIdOf(numberAt(at)), type: 'Post', createdAt, post: textOf('p') };
    await example.store('Note', { ...post, parentType: 'Account', parentId: parent });
  }
});
afterAll(async () => example.close());

describe('a history of large versions', () => {
  it.each(['asc', 'desc'])(
    'limits its pages by size and contains all versions in order %s',
    async (order) => {
      const versions: unknown[] = [];
      const sizes: number[] = [];
      for (let isEnd = false; !isEnd; ) {
        const query = `order=${order}&offset=${versions.length}`;
        const { total, list } = await read(`/Account/${changed}/history?${query}`);
        expect(total).toBe(VERSIONS);
        versions.push(...list.map(({ version }) => version));
        sizes.push(list.length);
        isEnd = versions.length === total;
      }
      const all = Array.from({ length: VERSIONS }, (_, index) => index + 1);
      expect(versions).toEqual(order === 'asc' ? all : all.toReversed());
      expect(Math.max(...sizes)).toBe(TEXTS_OF_PAGE);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    },
  );

  it('counts as a search by its user', async () => {
    example.takeSearchers();
    await read(`/Account/${changed}/history?maxSize=1`, { 'x-actor': 'api' });
    expect(example.takeSearchers()).toEqual(['api']);
  });

  it('can return a single version that is larger than a page', async () => {
    const fields = { description: textOf('x').repeat(10), name: 'Very large' };
    const id = await storeHistory(example, [aCreation('Account', fields)]);
    const { list } = await read(`/Account/${id}/history`);
    expect(list).toHaveLength(1);
  });
});

describe('a read of large versions as of a time', () => {
  it('counts as searches by its user and reads no later versions', async () => {
    example.takeSearchers();
    const asOf = '2030-01-02%2003:04:14';
    const { body } = await example.get(`/Account/${changed}?asOf=${asOf}`, { 'x-actor': 'api' });
    expect(body.description).toBe(textOf('j'));
    // Ten versions take two pages; the second one contains the first version that is too late.
    expect(example.takeSearchers().length).toBeLessThanOrEqual(3);
  });
});

describe('a stream with large items', () => {
  it.each([
    ['changes', () => `/Account/${changed}/stream`, VERSIONS],
    ['posts', () => `/Account/${parent}/posts`, RECORDS],
  ])('returns all %s page by page with beforeNumber', async (_what, path, count) => {
    const seen: unknown[] = [];
    for (let before = ''; ; ) {
      const { list } = await read(`${path()}?maxSize=200${before}`);
      expect(JSON.stringify(list).length).toBeLessThan(6_000_000);
      seen.push(...list.map(({ id }) => id));
      const last = list.at(-1);
      if (last === undefined) break;
      before = `&beforeNumber=${String(last['number'])}`;
    }
    expect(new Set(seen).size).toBe(count);
    expect(seen).toHaveLength(count);
  });

  it('contains the newest large changes of several records', async () => {
    const { list } = await read('/GlobalStream?maxSize=200&filter=updates');
    const ids = list.map(({ id }) => id);
    expect(ids).toContain(`${changed}.${VERSIONS}`);
    expect(ids).toContain(`${changed}.${VERSIONS - 1}`);
  });
});

describe('a list of large records', () => {
  it.each([
    ['the first page', () => '/Case?maxSize=200', RECORDS, 0],
    ['a later page', () => '/Case?offset=3&maxSize=20', 20, 3],
    ['a search', () => '/Case?where[0][type]=isNotNull&where[0][attribute]=name', RECORDS, 0],
    ['linked records', () => `/Account/${parent}/cases?maxSize=15`, 15, 0],
    ['selected texts', () => '/Case?select=description&maxTextAttributeLength=600000', RECORDS, 0],
  ])('returns every record with its whole text for %s', async (_what, path, count, from) => {
    const { total, list } = await read(
      `${path()}${path().includes('?') ? '&' : '?'}orderBy=number`,
    );
    expect(total).toBe(RECORDS);
    expect(list.map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, index) => `case${String(index + from).padStart(2, '0')}`),
    );
    expect(list.every(({ description }) => description === textOf('"'))).toBe(true);
  });

  it('is read in slices if it exceeds a page, and each slice counts as a search', async () => {
    example.takeSearchers();
    const { total, list } = await read('/Case?orderBy=name', { 'x-no-total': 'true' });
    expect([total, list.length]).toEqual([-2, RECORDS]);
    // A slice of 1 MiB has three texts.
    expect(example.takeSearchers().length).toBeGreaterThan((RECORDS - TEXTS_OF_PAGE) / 3);
  });

  it('is not read in slices if its texts are omitted or truncated', async () => {
    for (const query of ['select=name', 'select=name,description']) {
      example.takeSearchers();
      const { list } = await read(`/Case?orderBy=name&${query}`);
      expect(list).toHaveLength(RECORDS);
      expect(example.takeSearchers()).toEqual([]);
    }
  });
});
