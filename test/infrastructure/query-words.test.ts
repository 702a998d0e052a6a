import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

let example: QueryExample;

const entries = (key: 'emailAddress' | 'phoneNumber', all: readonly string[] = []) => ({
  [key]: all[0] ?? null,
  [`${key}Data`]: all.map((one, index) => ({
    [key]: one,
    ...(key === 'emailAddress' ? { lower: one.toLowerCase() } : { type: 'Mobile' }),
    primary: index === 0,
    optOut: false,
    invalid: false,
  })),
});

interface Person {
  readonly id: string;
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName: string;
  readonly mails?: readonly string[];
  readonly phones?: readonly string[];
}

const people: readonly Person[] = [
  {
    id: 'ann',
    firstName: 'Ann',
    middleName: 'Mary',
    lastName: 'Ray',
    mails: ['ann.ray@alpen-bau.example', 'second@other.example.com'],
    phones: ['+491711004999', '030 123456'],
  },
  { id: 'jana', firstName: 'Jana', lastName: 'Müller-Lüdenscheidt', phones: ['0171 2004999'] },
  { id: 'brien', firstName: 'Conan', lastName: "O'Brien", mails: ['conan@team.example'] },
  { id: 'att', lastName: 'AT&T Research' },
  { id: 'soren', firstName: 'Søren', lastName: 'Weiß', phones: ['(555) 555-0100'] },
  { id: 'tanaka', lastName: '田中 太郎' },
  { id: 'greek', firstName: 'ΝΙΚΟΣ', lastName: 'Παπαδόπουλος' },
  { id: 'russian', firstName: 'Андрей', lastName: 'Йванов' },
  { id: 'rocket', lastName: '🚀 Rocket 3000' },
  { id: 'euro', lastName: '€uro Shop' },
  { id: 'lou', firstName: 'Mary Lou', lastName: 'van der Lee' },
];

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  for (const { id, firstName, middleName, lastName, mails, phones } of people) {
    await example.store('Contact', {
      id,
      lastName,
      ...(firstName === undefined ? {} : { firstName }),
      ...(middleName === undefined ? {} : { middleName }),
      name: firstName === undefined ? lastName : `${firstName} ${lastName}`,
      ...entries('emailAddress', mails),
      ...entries('phoneNumber', phones),
    });
  }
  const article = { id: 'plan', name: 'Budget 2030', description: 'For Müller' };
  await example.store('KnowledgeBaseArticle', article);
  await example.store('User', { id: 'u1', name: 'Zoë Grün', lastName: 'Grün', userName: 'zoe' });
  const role = (fields: readonly string[]) => ({
    entityType: 'Role',
    id: 'r',
    version: 1,
    deleted: false,
    values: {
      data: { Contact: { read: 'all' } },
      fieldData: { Contact: Object.fromEntries(fields.map((field) => [field, { read: 'no' }])) },
    } as never,
  });
  for (const fields of [['emailAddress'], ['phoneNumber'], ['lastName'], ['middleName']]) {
    const id = `without ${fields.join()}`;
    const who = { id, name: id, userName: id, type: 'api', teamIds: [] } as const;
    example.addActor(buildActor(who, [role(fields)]));
  }
});
afterAll(async () => example.close());

async function find(query: string, actor = 'admin'): Promise<readonly string[]> {
  const { status, body, text } = await example.get(query, { 'x-actor': actor });
  expect(status, text).toBe(200);
  expect(body.total).toBe(body.list.length);
  return body.list.map(({ id }: { id: string }) => id).sort();
}

const byText = (text: string, mode = '') =>
  `/Contact?textFilter=${encodeURIComponent(text)}${mode === '' ? '' : `&textFilterMode=${mode}`}`;

describe('a search by words', () => {
  it.each([
    ['ray', ['ann']],
    ['ra an', ['ann']],
    ['mary ray', ['ann']],
    ['Lee, Mary', ['lou']],
    ['lou lee', ['lou']],
    ['ann bob', []],
    ['udenscheidt', []],
    ['ludenscheidt', ['jana']],
    ['LÜDEN mull', ['jana']],
    ['Mu\u0308ller', ['jana']],
    ['müller-l', ['jana']],
    ["O'Brien", ['brien']],
    ['brien', ['brien']],
    ['brien o', ['brien']],
    ['brien x', []],
    ['AT&T', ['att']],
    ['soren WEISS', ['soren']],
    ['søren weiß', ['soren']],
    ['太郎 田', ['tanaka']],
    ['郎', []],
    ['νικος παπαδοπ', ['greek']],
    ['ΠΑΠΑΔΌΠΟΥΛΟΣ', ['greek']],
    ['иванов', ['russian']],
    ['rocket 🚀', ['rocket']],
    ['🚀', ['rocket']],
    ['€', ['euro']],
    ['rocket 3000', ['rocket']],
    ["';|&!()", []],
    ["'ray':* | 'brien'", []],
    ['\\', []],
  ])('finds names by %s', async (text, ids) => {
    expect(await find(byText(text))).toEqual(ids);
  });

  it.each([
    ['alpen', ['ann']],
    ['bau ann', ['ann']],
    ['ann.ray@alpen-bau.example', ['ann']],
    ['alpen-bau.example', ['ann']],
    ['alpen-bau.exa', ['ann']],
    ['alpen-bau.net', []],
    ['alpen-bau.other', ['ann']],
    ['ray@alpen-bau.example', ['ann']],
    ['ann.ray@alpen-bau.com', []],
    ['SECOND@other.example', ['ann']],
    ['second@other.example.com', ['ann']],
    ['other.example.com mary', ['ann']],
    ['com', []],
    ['example', ['ann']],
  ])('finds e-mail addresses by %s', async (text, ids) => {
    expect(await find(byText(text))).toEqual(ids);
  });

  it.each([
    ['0171 100', ['ann']],
    ['+49 171 1004999', ['ann']],
    ['0049 (171) 100-4999', ['ann']],
    ['491711004999', ['ann']],
    ['01711004999', ['ann']],
    ['+49171', ['ann', 'jana']],
    ['004999', ['ann', 'jana']],
    ['+49 171 200', ['jana']],
    ['ray 171', ['ann']],
    ['030/123', ['ann']],
    ['030 124', []],
    ['5555550100', ['soren']],
    ['555-0100', ['soren']],
    ['+1 555 555 0100', ['soren']],
    ['(555) 555', ['soren']],
    ['0100', ['soren']],
    ['17', []],
    ['711 004', []],
  ])('finds telephone numbers by %s', async (text, ids) => {
    expect(await find(byText(text))).toEqual(ids);
  });

  it('compares only the beginnings of fields for a single letter or with the mode espo', async () => {
    expect(await find(byText('a'))).toEqual(['ann', 'att']);
    expect(await find(byText('ray', 'espo'))).toEqual(['ann']);
    expect(await find(byText('lee', 'espo'))).toEqual([]);
    expect(await find(byText('lee', 'words'))).toEqual(['lou']);
    const inJson = { textFilter: 'lee', textFilterMode: 'espo' };
    const query = encodeURIComponent(JSON.stringify(inJson));
    expect(await find(`/Contact?searchParams=${query}`)).toEqual([]);
  });

  it('is rejected with an unknown mode', async () => {
    const { status, body } = await example.get(byText('lee', 'fuzzy'));
    expect([status, body.code]).toEqual([400, 'parameter.invalid']);
  });

  it('can be a condition, alone or combined with others', async () => {
    const where = [{ type: 'or', value: [{ type: 'textFilter', value: 'lee lou' }] }];
    expect(await find(`/Contact?where=${encodeURIComponent(JSON.stringify(where))}`)).toEqual([
      'lou',
    ]);
  });

  it('also finds numbers, the middle of long texts, and users, whose table has no word index', async () => {
    expect(await find('/KnowledgeBaseArticle?textFilter=2030')).toEqual(['plan']);
    expect(await find('/KnowledgeBaseArticle?textFilter=r+Müll')).toEqual(['plan']);
    expect(await find('/User?textFilter=grun+zoe')).toEqual(['u1']);
  });

  it('does not reveal hidden values', async () => {
    const hidden = [
      [
        'emailAddress',
        'ann',
        ['alpen', 'second@other.example.com', 'alpen-bau.example', 'ray bau'],
      ],
      ['phoneNumber', 'ann', ['0171 100', '+49171', 'ann 004999', '030 123456']],
      ['middleName', 'ann', ['mary', 'mary ray', 'ray m']],
      ['lastName', 'lou', ['lee', 'lou lee', 'lou van']],
    ] as const;
    for (const [field, id, texts] of hidden) {
      for (const text of texts) {
        expect(await find(byText(text)), text).toContain(id);
        expect(await find(byText(text), `without ${field}`), text).not.toContain(id);
      }
    }
    expect(await find(byText('ray'), 'without emailAddress')).toEqual(['ann']);
    expect(await find(byText('ray 171'), 'without emailAddress')).toEqual(['ann']);
  });
});
