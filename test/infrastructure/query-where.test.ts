import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { AttributeValues } from '../../shared/domain/value/attribute-values.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

const seed = Number(process.env['TEST_SEED'] ?? 20_261_121);
const random = createRandomSource(seed);
const rounds = 150;

type Row = AttributeValues & { readonly id: string };
/** Null means unknown, as in SQL. */
type Truth = boolean | null;

/** A condition in the form that clients send, and its meaning. */
interface Condition {
  readonly item: Readonly<Record<string, unknown>>;
  readonly means: (row: Row) => Truth;
}

let example: QueryExample;
const rows: Row[] = [];
const names = ['Acme', 'acme south', 'Beta', 'be%ta', 'Gamma_1', 'Δelta', null];
const types = ['Customer', 'Partner', null];
const emails = ['Ann@Acme.example', 'bob@beta.example', 'info@acme.example'];
const times = ['2029-12-31 23:30:00', '2030-01-01 00:00:00', '2030-06-15 12:00:00', null];

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  const maybe = <Value>(value: Value) => (random.chance(0.8) ? value : null);
  for (let index = 0; index < 60; index++) {
    const addresses = emails.filter(() => random.chance(0.4));
    const row: Row = {
      id: `a${String(index).padStart(3, '0')}`,
      name: random.pick(names),
      type: random.pick(types),
      billingAddressLatitude: maybe(random.int(5)),
      isLocked: maybe(random.chance(0.5)),
      emailAddress: addresses[0] ?? null,
      emailAddressData: addresses.map((emailAddress, at) => ({
        emailAddress,
        lower: emailAddress.toLowerCase(),
        primary: at === 0,
        optOut: false,
        invalid: false,
      })),
      teamsIds: ['t1', 't2', 't3'].filter(() => random.chance(0.4)),
      assignedUserId: maybe(random.pick(['u1', 'u2'])),
      modifiedAt: random.pick(times),
    };
    rows.push(row);
    await example.store('Account', row);
  }
  for (const id of ['u1', 'u2', 'u3']) await example.store('User', { id, userName: id });
});
afterAll(async () => example.close());

const unlessNull = (value: unknown, means: (text: string) => boolean): Truth =>
  value === null || value === undefined ? null : means(String(value));

/** Draws one condition on one attribute. */
function drawLeaf(): Condition {
  const draw = random.pick([
    drawText,
    drawNumber,
    drawBool,
    drawList,
    drawLink,
    drawEmail,
    drawTime,
  ]);
  return draw();
}

function drawText(): Condition {
  const attribute = random.pick(['name', 'type']);
  const value = random.pick(['Acme', 'acme', 'a', '%', '_', 'Partner', 'south', 'Δ']);
  const type = random.pick([
    'equals',
    'notEquals',
    'contains',
    'notContains',
    'startsWith',
    'endsWith',
    'in',
    'notIn',
    'isNull',
    'isNotNull',
  ]);
  const folded = value.toLowerCase();
  const meanings: Readonly<Record<string, (text: string) => boolean>> = {
    equals: (text) => text === value,
    notEquals: (text) => text !== value,
    contains: (text) => text.toLowerCase().includes(folded),
    notContains: (text) => !text.toLowerCase().includes(folded),
    startsWith: (text) => text.toLowerCase().startsWith(folded),
    endsWith: (text) => text.toLowerCase().endsWith(folded),
    in: (text) => [value, 'Beta'].includes(text),
    notIn: (text) => ![value, 'Beta'].includes(text),
  };
  if (type === 'isNull')
    return { item: { type, attribute }, means: (row) => row[attribute] === null };
  if (type === 'isNotNull')
    return { item: { type, attribute }, means: (row) => row[attribute] !== null };
  const given = type === 'in' || type === 'notIn' ? [value, 'Beta'] : value;
  return {
    item: { type, attribute, value: given },
    means: (row) => unlessNull(row[attribute], (text) => meanings[type]?.(text) ?? false),
  };
}

function drawNumber(): Condition {
  const attribute = 'billingAddressLatitude';
  const value = random.int(5);
  const meanings: Readonly<Record<string, (number: number) => boolean>> = {
    equals: (number) => number === value,
    notEquals: (number) => number !== value,
    greaterThan: (number) => number > value,
    lessThan: (number) => number < value,
    greaterThanOrEquals: (number) => number >= value,
    lessThanOrEquals: (number) => number <= value,
  };
  const type = random.pick(Object.keys(meanings));
  const given = random.chance(0.5) ? String(value) : value;
  return {
    item: { type, attribute, value: given },
    means: (row) => unlessNull(row[attribute], (text) => meanings[type]?.(Number(text)) ?? false),
  };
}

function drawBool(): Condition {
  const type = random.pick(['isTrue', 'isFalse', 'equals']);
  const item = { type, attribute: 'isLocked', ...(type === 'equals' ? { value: 'true' } : {}) };
  return { item, means: (row) => (row['isLocked'] === true) !== (type === 'isFalse') };
}

function drawList(): Condition {
  const value = ['t1', 't2', 't3'].filter(() => random.chance(0.5));
  const of = (row: Row) => row['teamsIds'] as readonly string[];
  const meanings: Readonly<Record<string, (row: Row) => boolean>> = {
    arrayAnyOf: (row) => value.some((id) => of(row).includes(id)),
    arrayNoneOf: (row) => !value.some((id) => of(row).includes(id)),
    arrayAllOf: (row) => value.every((id) => of(row).includes(id)),
    arrayIsEmpty: (row) => of(row).length === 0,
    arrayIsNotEmpty: (row) => of(row).length > 0,
  };
  const type = random.pick(Object.keys(meanings));
  return { item: { type, attribute: 'teamsIds', value }, means: meanings[type] ?? (() => null) };
}

function drawLink(): Condition {
  const value = random.pick(['u1', 'u2', 'u3']);
  const meanings: Readonly<Record<string, (row: Row) => boolean>> = {
    linkedWith: (row) => row['assignedUserId'] === value,
    notLinkedWith: (row) => row['assignedUserId'] !== value,
    isLinked: (row) => row['assignedUserId'] !== null,
    isNotLinked: (row) => row['assignedUserId'] === null,
  };
  const type = random.pick(Object.keys(meanings));
  const given = random.chance(0.5) ? [value] : value;
  return {
    item: { type, attribute: 'assignedUser', value: given },
    means: meanings[type] ?? (() => null),
  };
}

function drawEmail(): Condition {
  const value = random.pick(['ann@acme.example', 'BOB@beta.example', 'acme']);
  const of = (row: Row) =>
    (row['emailAddressData'] as readonly { readonly lower: string }[]).map(({ lower }) => lower);
  const folded = value.toLowerCase();
  const meanings: Readonly<Record<string, (row: Row) => boolean>> = {
    equals: (row) => of(row).includes(folded),
    contains: (row) => of(row).some((lower) => lower.includes(folded)),
    startsWith: (row) => of(row).some((lower) => lower.startsWith(folded)),
    notEquals: (row) => of(row).length > 0 && !of(row).includes(folded),
  };
  const type = random.pick(Object.keys(meanings));
  return {
    item: { type, attribute: 'emailAddress', value },
    means: meanings[type] ?? (() => null),
  };
}

/** In Berlin, the last half hour of 2029 in UTC already belongs to 2030. */
function drawTime(): Condition {
  const timeZone = random.pick(['UTC', 'Europe/Berlin']);
  const item = { attribute: 'modifiedAt', dateTime: true, timeZone };
  const early = timeZone === 'UTC' ? '2030-01-01 00:00:00' : '2029-12-31 23:00:00';
  const late = timeZone === 'UTC' ? '2030-01-02 00:00:00' : '2030-01-01 23:00:00';
  const meanings: Readonly<Record<string, (text: string) => boolean>> = {
    on: (text) => text >= early && text < late,
    after: (text) => text >= late,
    before: (text) => text < early,
    past: () => false,
    future: () => true,
  };
  const local: Readonly<Record<string, (text: string) => boolean>> = {
    after: (text) => text > early,
    before: (text) => text < early,
    greaterThanOrEquals: (text) => text >= early,
    equals: (text) => text === early,
  };
  const [value, comparisons] = random.pick([
    ['2030-01-01', meanings],
    ['2030-01-01 00:00:00', local],
  ] as const);
  const type = random.pick(Object.keys(comparisons));
  return {
    item: { ...item, type, value },
    means: (row) => unlessNull(row['modifiedAt'], (text) => comparisons[type]?.(text) ?? false),
  };
}

function drawTree(depth: number): Condition {
  if (depth === 0 || random.chance(0.4)) return drawLeaf();
  const type = random.pick(['and', 'or']);
  const parts = Array.from({ length: 1 + random.int(3) }, () => drawTree(depth - 1));
  const dominant = type === 'or';
  return {
    item: { type, value: parts.map(({ item }) => item) },
    means(row) {
      const truths = parts.map(({ means }) => means(row));
      if (truths.includes(dominant)) return dominant;
      return truths.includes(null) ? null : !dominant;
    },
  };
}

/** Encodes a query as PHP does. */
function toBrackets(value: unknown, key: string): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [`${key}=${encodeURIComponent(String(value))}`];
  }
  return Object.entries(value).flatMap(([name, inner]) => toBrackets(inner, `${key}[${name}]`));
}

const sent = {
  brackets: (where: readonly unknown[]) => toBrackets(where, 'where').join('&'),
  'encoded brackets': (where: readonly unknown[]) =>
    toBrackets(where, 'whereGroup')
      .map((part) => part.replaceAll('[', '%5B').replaceAll(']', '%5D'))
      .join('&'),
  searchParams: (where: readonly unknown[]) =>
    `searchParams=${encodeURIComponent(JSON.stringify({ where, maxSize: 200, orderBy: 'id' }))}`,
  'where as JSON': (where: readonly unknown[]) =>
    `where=${encodeURIComponent(JSON.stringify(where))}`,
};

/** A query cannot contain an empty list; the condition would become a different one. */
const hasEmptyList = (where: readonly unknown[]) => JSON.stringify(where).includes('[]');

describe(`conditions drawn at random (seed ${seed})`, () => {
  it.each(Array.from({ length: rounds }, (_, round) => round))(
    'select the expected records in round %i',
    async () => {
      const conditions = Array.from({ length: 1 + random.int(2) }, () => drawTree(3));
      const where = conditions.map(({ item }) => item);
      const expected = rows.filter((row) => conditions.every(({ means }) => means(row) === true));
      const transport = hasEmptyList(where) ? 'searchParams' : random.pick(Object.keys(sent));
      const query = sent[transport as keyof typeof sent](where);
      const answer = await example.get(`/Account?maxSize=200&orderBy=id&${query}`);
      expect(answer.status, answer.text).toBe(200);
      const ids = answer.body.list.map(({ id }: Row) => id);
      expect(ids, `${transport}: ${JSON.stringify(where)}`).toEqual(expected.map(({ id }) => id));
      expect(answer.body.total).toBe(expected.length);
    },
  );
});

describe('a search', () => {
  const count = (type: string) => rows.filter((row) => row['type'] === type).length;

  it('pages and counts its matches', async () => {
    const filter = 'primaryFilter=customers&orderBy=id';
    const all = await example.get(`/Account?${filter}`);
    expect(all.body.total).toBe(count('Customer'));
    const second = await example.get(`/Account?${filter}&maxSize=3&offset=3`);
    expect(second.body.list).toEqual(all.body.list.slice(3, 6));
    expect(second.body.total).toBe(count('Customer'));
    const beyond = await example.get(`/Account?${filter}&offset=1000`);
    expect(beyond.body).toEqual({ total: count('Customer'), list: [] });
    const some = await example.get(`/Account?${filter}&maxSize=1`, { 'x-no-total': 'true' });
    expect(some.body.total).toBe(-1);
  });

  it.each([
    ['isFalse', {}, true],
    ['isTrue', {}, false],
    ['equals', { value: 'false' }, true],
    ['equals', { value: 1 }, false],
    ['notEquals', { value: true }, true],
    ['isNull', {}, false],
  ])('treats all searched records as not deleted: %s %j', async (type, more, isMet) => {
    const where = JSON.stringify([{ type, attribute: 'deleted', ...more }]);
    const { body } = await example.get(`/Account?where=${encodeURIComponent(where)}&maxSize=1`);
    expect(body.total).toBe(isMet ? rows.length : 0);
  });

  it.each([
    ['textFilter=acme', /^acme/i],
    ['q=ACME', /^acme/i],
    ['textFilter=*south', /south$/i],
    ['textFilter=be%25', /^be%/],
    ['textFilter=gamma_', /^gamma_/i],
    ['textFilter=ann', /^ann/i],
    ['textFilter=a*m*', /^a.*m/i],
  ])('finds names and addresses that start with the text %s', async (query, pattern) => {
    const { body } = await example.get(`/Account?maxSize=200&orderBy=id&${query}`);
    const found = rows.filter(({ name, emailAddress }) =>
      [name, emailAddress].some((text) => typeof text === 'string' && pattern.test(text)),
    );
    expect(body.list.map(({ id }: Row) => id)).toEqual(found.map(({ id }) => id));
    if (query.startsWith('q=')) expect(body.total).toBeLessThan(0);
  });

  it.each([
    ['where[0][type]=equals&where[0][attribute]=nose&where[0][value]=1', 'nose'],
    ['where[0][type]=equals&where[0][value]=1', 'attribute'],
    ['where[0][type]=sounds&where[0][attribute]=name', 'sounds'],
    ['where[0][type]=not&where[0][value][0][type]=isNull', 'not'],
    ['where[0][type]=equals&where[0][attribute]=name&where[0][value]=a&where[0][more]=1', 'more'],
    ['where[0][type]=in&where[0][attribute]=name&where[0][value]=a', 'list'],
    ['where[0][type]=on&where[0][attribute]=createdAt&where[0][value]=soon', 'soon'],
    [
      'where[0][type]=equals&where[0][attribute]=billingAddressLatitude&where[0][value]=wide',
      'wide',
    ],
    [
      'where[0][type]=on&where[0][attribute]=createdAt&where[0][value]=2030-01-01&where[0][timeZone]=Mars',
      'Mars',
    ],
    ['where[0][type]=linkedWith&where[0][attribute]=nose&where[0][value]=1', 'nose'],
    ['where[0][type]=lastXDays&where[0][attribute]=createdAt&where[0][value]=-1', 'days'],
    ['where[0][type]=arrayAnyOf&where[0][attribute]=teamsIds&where[0][value][]=%00', 'text'],
    ['where[0][type]=in&where[0][attribute]=emailAddress&where[0][value][0][]=a', 'string'],
    ['where[0][type]=contains&where[0][attribute]=name&where[0][value]=%00', 'text'],
    ['primaryFilter=nice', 'nice'],
    ['boolFilterList[]=nice', 'nice'],
    ['searchParams={', 'JSON'],
    ['searchParams={"maxSize":"5"}', 'maxSize'],
    ['searchParams={"where":{"a":1}}', 'list'],
    ['maxSize=-1', 'maxSize'],
  ])('is rejected for %s with 400 and a message that names %s', async (query, culprit) => {
    const answer = await example.get(`/Account?${query.includes('%') ? query : encodeURI(query)}`);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(culprit)]);
  });

  it.each<unknown>([
    { type: 'textFilter', value: { x: 'a' } },
    { type: 'primary', value: { x: 'all' } },
    { type: 'bool', value: [{ x: 'onlyMy' }] },
    { type: 'equals', attribute: 'isLocked', value: { x: 'true' } },
    { type: 'equals', attribute: 'createdAt', value: { x: '2030-01-01' } },
    { type: 'on', attribute: 'createdAt', value: { toString: '1' } },
    { type: 'lastXDays', attribute: 'createdAt', value: { valueOf: '1', toString: '1' } },
    { type: 'linkedWith', attribute: 'teams', value: [{ x: 't1' }] },
    { type: 'today', attribute: 'createdAt', timeZone: { x: 'UTC' } },
    { type: 'today', attribute: 'createdAt', dateTime: { toString: '1' } },
  ])('is rejected with 400 for an object in %j in every encoding', async (item) => {
    for (const toQuery of Object.values(sent)) {
      const { status, body } = await example.get(`/Account?${toQuery([item])}`);
      expect([status, body.message]).toEqual([
        400,
        expect.stringMatching(/must be a string|time zone/),
      ]);
    }
  });

  it.each(['acme\\', '\\%', '%a_me', '\\'])('treats %s as a pattern', async (value) => {
    for (const type of ['like', 'notLike']) {
      const where = [{ type, attribute: 'name', value }];
      const query = encodeURIComponent(JSON.stringify({ where }));
      expect((await example.get(`/Account?searchParams=${query}`)).status).toBe(200);
    }
  });

  it('accepts UTC offsets with the sign of ISO 8601 as time zones', async () => {
    const [at, day] = ['2030-01-01 00:00:00', '2029-12-31'];
    for (const timeZone of ['-05:30', '-0530', 'Etc/GMT+5', 'America/New_York']) {
      const on = { type: 'on', attribute: 'modifiedAt', dateTime: true, timeZone, value: day };
      const where = [on, { type: 'equals', attribute: 'modifiedAt', value: at }];
      const query = encodeURIComponent(JSON.stringify({ where }));
      const { body } = await example.get(`/Account?searchParams=${query}`);
      expect([timeZone, body.total]).toEqual([
        timeZone,
        rows.filter(({ modifiedAt }) => modifiedAt === at).length,
      ]);
    }
  });

  it('includes both limits of a range of numbers', async () => {
    const where = [{ type: 'between', attribute: 'billingAddressLatitude', value: [1, '3'] }];
    const query = encodeURIComponent(JSON.stringify({ where }));
    const isWithin = (row: Row) => [1, 2, 3].includes(Number(row['billingAddressLatitude'] ?? -1));
    const { body } = await example.get(`/Account?maxSize=200&searchParams=${query}`);
    expect(body.total).toBe(rows.filter(isWithin).length);
  });

  it('is rejected with 400 if it is nested too deeply or too long', async () => {
    let deep: unknown = { type: 'isNull', attribute: 'name' };
    for (let level = 0; level < 12; level++) deep = { type: 'and', value: [deep] };
    const many = Array.from({ length: 201 }, () => ({ type: 'isNull', attribute: 'name' }));
    for (const where of [[deep], many]) {
      const query = encodeURIComponent(JSON.stringify({ where }));
      expect((await example.get(`/Account?searchParams=${query}`)).status).toBe(400);
    }
  });
});
