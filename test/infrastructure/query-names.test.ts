import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

let example: QueryExample;

const addresses = (...all: readonly string[]) => ({
  emailAddress: all[0] ?? null,
  emailAddressData: all.map((emailAddress, index) => ({
    emailAddress,
    lower: emailAddress.toLowerCase(),
    primary: index === 0,
    optOut: false,
    invalid: false,
  })),
});

const people = [
  { id: 'ann', firstName: 'Ann', middleName: 'Mary', lastName: 'Ray' },
  { id: 'bob', firstName: 'Bob', lastName: 'Ray' },
  { id: 'lee', firstName: 'Mary Lou', lastName: 'Van der Lee' },
  { id: 'solo', lastName: 'Ray Ann' },
] as const;

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  for (const person of people) {
    const { firstName, lastName }: { firstName?: string; lastName: string } = person;
    const name = firstName === undefined ? lastName : `${firstName} ${lastName}`;
    await example.store('Contact', { ...person, name });
  }
  await example.store('Lead', {
    id: 'greek',
    name: 'ΝΙΚΟΣ Παπαδόπουλος',
    lastName: 'Παπαδόπουλος',
    description: 'Λεωφόρος ΟΔΥΣΣΕΥΣ',
    ...addresses('νίκος@οδός.gr', 'Straße@x.example'),
  });
  await example.store('Lead', { id: 'german', name: 'Weiß', ...addresses('WEIẞ@x.example') });
  await example.store('Lead', { id: 'turkish', name: 'İzmir ılıca' });
  const role = {
    entityType: 'Role',
    id: 'r',
    version: 1,
    deleted: false,
    values: {
      data: { Contact: { read: 'all' } },
      fieldData: { Contact: { middleName: { read: 'no' } } },
    } as never,
  };
  const ann = { id: 'narrow', name: 'N', userName: 'n', type: 'api', teamIds: [] } as const;
  example.addActor(buildActor(ann, [role]));
});
afterAll(async () => example.close());

async function find(path: string, actor = 'admin'): Promise<readonly string[]> {
  const { status, body, text } = await example.get(path, { 'x-actor': actor });
  expect(status, text).toBe(200);
  return body.list.map(({ id }: { id: string }) => id).sort();
}

const byText = (text: string) => `textFilter=${encodeURIComponent(text)}`;
const where = (...items: readonly object[]) => `where=${encodeURIComponent(JSON.stringify(items))}`;

describe('names in any case', () => {
  it.each([
    ['νικος', ['greek']],
    ['ΝΙΚΟΣ Παπ', ['greek']],
    ['νικοσ παπαδόπουλος', ['greek']],
    ['ΝΙΚΟΣ ΠΑΠΑΔΌΠΟΥΛΟΣ', ['greek']],
    ['ΝΙΚΟΣ ΠΑΠΑΔΟ\u0301ΠΟΥΛΟΣ', ['greek']],
    ['*ΔΌΠΟΥΛΟΣ', ['greek']],
    ['WEISS', ['german']],
    ['weiss', ['german']],
    ['WEIẞ', ['german']],
    ['i\u0307zmir ILICA', ['turkish']],
  ])('are found by %s', async (text, ids) => {
    expect(await find(`/Lead?${byText(text)}`)).toEqual(ids);
    if (text.includes('*')) return;
    expect(
      await find(`/Lead?${where({ type: 'startsWith', attribute: 'name', value: text })}`),
    ).toEqual(ids);
  });

  it('are found in the middle, at the end and in long texts', async () => {
    for (const value of ['οσ παπαδόπουλος', 'ΟΣ ΠΑΠΑΔΌΠΟΥΛΟΣ']) {
      for (const type of ['contains', 'endsWith']) {
        expect(await find(`/Lead?${where({ type, attribute: 'name', value })}`)).toEqual(['greek']);
      }
    }
    const item = { type: 'contains', attribute: 'description', value: 'λεωφόρος οδυσσευς' };
    expect(await find(`/Lead?${where(item)}`)).toEqual(['greek']);
    const other = { ...item, type: 'notContains' };
    expect(await find(`/Lead?${where(other)}`)).toEqual([]);
  });
});

describe('columns that an earlier version folded differently', () => {
  it('are filled again when the tables are prepared and keep their indexes', async () => {
    const indexes = async () =>
      (await example.pool.query("select indexdef from pg_indexes where tablename = 'lead'")).rows;
    const before = await indexes();
    const former = 'set expression as (lower(left("name", 255)))';
    await example.pool.query(`alter table annals.lead alter column "name$folded" ${former}`);
    expect(await find(`/Lead?${byText('ΝΙΚΟΣ ΠΑΠΑΔΌΠΟΥΛΟΣ')}`)).toEqual([]);
    await example.createTables();
    expect(await find(`/Lead?${byText('ΝΙΚΟΣ ΠΑΠΑΔΌΠΟΥΛΟΣ')}`)).toEqual(['greek']);
    expect(await indexes()).toEqual(expect.arrayContaining(before));
  });
});

describe('e-mail addresses in any case', () => {
  it.each([
    ['ΝΊΚΟΣ@ΟΔΌΣ.GR', 'greek'],
    ['νίκοσ@οδόσ.gr', 'greek'],
    ['STRASSE@x.example', 'greek'],
    ['weiss@X.example', 'german'],
  ])('are found by %s', async (value, id) => {
    const attribute = 'emailAddress';
    expect(await find(`/Lead?${where({ type: 'equals', attribute, value })}`)).toEqual([id]);
    expect(await find(`/Lead?${where({ type: 'in', attribute, value: [value] })}`)).toEqual([id]);
    expect(await find(`/Lead?${where({ type: 'contains', attribute, value })}`)).toEqual([id]);
    expect(await find(`/Lead?${byText(value)}`)).toEqual([id]);
    for (const item of [
      { type: 'notEquals', value },
      { type: 'notIn', value: [value] },
    ]) {
      const others = await find(`/Lead?${where({ ...item, attribute })}`);
      expect(others).toEqual([id === 'greek' ? 'german' : 'greek']);
    }
  });
});

describe('the name of a person', () => {
  it.each([
    ['Ann Ray', ['ann']],
    ['ray ann', ['ann', 'solo']],
    ['Ray, Ann', ['ann']],
    ['Ray An', ['ann', 'solo']],
    ['ann mary ray', ['ann']],
    ['Ray Ann Mary', ['ann']],
    ['RAY', ['ann', 'bob', 'solo']],
    ['Mary', ['ann', 'lee']],
    ['van der lee mary', ['lee']],
    ['Van der Lee, Mary Lou', ['lee']],
    ['Ray Mary', []],
    ['Ann Bob Ray', []],
    ['ray a%', []],
    ['Ray Ann*', ['ann', 'solo']],
  ])('is found by %s', async (text, ids) => {
    expect(await find(`/Contact?${byText(text)}`)).toEqual(ids);
  });

  it.each([
    ['contains', 'y Ann', ['ann', 'solo']],
    ['startsWith', 'Ray B', ['bob']],
    ['like', '%mary ray', ['ann']],
    ['endsWith', 'Ann Mary', ['ann']],
  ])('matches %s %s with its parts in any order', async (type, value, ids) => {
    expect(await find(`/Contact?${where({ type, attribute: 'name', value })}`)).toEqual(ids);
  });

  it('does not reveal a closed part', async () => {
    for (const text of ['Mary', 'Ray Ann Mary', 'Ann Mary Ray', 'Ann']) {
      expect(await find(`/Contact?${byText(text)}`, 'narrow')).not.toContain('ann');
    }
  });
});
