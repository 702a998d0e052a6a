import type {
  AttributeValue,
  AttributeValues,
} from '../../shared/domain/value/attribute-values.ts';
import type { RandomSource } from '../support/builders/random-source.ts';
import type { QueryExample } from './query-example.ts';

export type StoredRecord = AttributeValues & { readonly id: string };

/** Fields of every searchable type. */
const sampleFields = {
  name: { type: 'personName', readOnly: true },
  memo: { type: 'text' },
  page: { type: 'wysiwyg' },
  code: { type: 'barcode' },
  color: { type: 'colorpicker' },
  label: { type: 'number' },
  level: { type: 'enum', options: ['', 'low', 'High'] },
  tags: { type: 'multiEnum', options: ['x', 'y', 'z'] },
  steps: { type: 'checklist', options: ['x', 'y', 'z'] },
  words: { type: 'array' },
  sites: { type: 'urlMultiple' },
  flag: { type: 'bool' },
  count: { type: 'int' },
  grade: { type: 'enumInt', options: [-2, -1, 0, 1, 2] },
  serial: { type: 'autoincrement' },
  ratio: { type: 'float' },
  weight: { type: 'enumFloat', options: [0.5, 1] },
  price: { type: 'decimal' },
  ages: { type: 'rangeInt' },
  day: { type: 'date' },
  moment: { type: 'datetime' },
  due: { type: 'datetimeOptional' },
  span: { type: 'duration', start: 'moment', end: 'due' },
  emailAddress: { type: 'email' },
  phoneNumber: { type: 'phone', options: ['Office'] },
  place: { type: 'address' },
  amount: { type: 'currency' },
  converted: { type: 'currencyConverted' },
  site: { type: 'url' },
  notes: { type: 'jsonObject' },
  account: { type: 'link', entityType: 'Account' },
  twin: { type: 'linkOne', entityType: 'Account' },
  accounts: {
    type: 'linkMultiple',
    entityType: 'Account',
    columns: {
      role: { type: 'varchar', foreignAttribute: 'accountRole' },
      isOff: { type: 'bool', foreignAttribute: 'accountIsOff' },
    },
  },
  accountRole: { type: 'varchar', notStored: true },
  accountIsOff: { type: 'bool', notStored: true },
  parent: { type: 'linkParent', entityList: ['Account', 'Contact'] },
  accountType: { type: 'foreign', link: 'account', entityType: 'Account', attribute: 'type' },
};

export const texts = [
  '',
  'a',
  'A',
  'ab',
  'Ab c',
  'abcd',
  'bAB',
  'a%b',
  'a_b',
  'a\\b',
  'é',
  'É a',
  '"a"',
  '*',
];
export const days = [
  '2023-12-31',
  '2024-01-01',
  '2024-02-29',
  '2024-03-03',
  '2024-03-09',
  '2024-03-10',
  '2024-03-11',
  '2024-04-01',
];
export const moments = days.flatMap((day) =>
  ['00:00:00', '03:30:00', '15:30:00', '23:59:59'].map((time) => `${day} ${time}`),
);
export const emails = ['a@b.example', 'A@B.example', 'ab_c@b.example', 'é@x.example'];
export const phones = ['+15550100', '+15550199', '0301234'];
export const accountIds = ['a1', 'a2', 'a3', 'gone'];
export const teamIds = ['t1', 't2', 't3'];
const userIds = ['u1', 'u2', 'u3'];

/** Stores the tables, a few accounts and random records; returns them. */
export async function storeSampleRecords(
  example: QueryExample,
  random: RandomSource,
  count: number,
) {
  example.defineFields('Sample', sampleFields as unknown as AttributeValues);
  await example.createTables();
  const accounts = accountIds.map((id, index) => randomAccount(random, id, index));
  for (const account of accounts) await example.store('Account', account);
  const teams = teamIds.map((id) => ({ id, deleted: id === 't3', name: id }));
  for (const team of teams) await example.store('Team', team);
  const users = userIds.map((id) => randomUser(random, id));
  for (const user of users) await example.store('User', user);
  const samples = Array.from({ length: count }, (_, index) => randomSample(random, `s${index}`));
  for (const sample of samples) await example.store('Sample', sample);
  return { accounts, teams, users, samples };
}

function randomAccount(random: RandomSource, id: string, index: number): StoredRecord {
  return {
    id,
    deleted: id === 'gone',
    name: random.pick(texts),
    type: index === 0 ? null : random.pick(['Customer', 'Partner']),
    isLocked: index === 1 ? null : random.chance(0.5),
    createdAt: random.pick(moments),
    teamsIds: random.chance(0.3) ? null : ['t1', 't2'].filter(() => random.chance(0.5)),
    originalLeadId: random.pick(['lead1', 'lead2', null]),
    ...addresses('emailAddress', random, emails),
  };
}

function randomUser(random: RandomSource, id: string): StoredRecord {
  return {
    id,
    deleted: random.chance(0.2),
    userName: id,
    type: 'regular',
    isActive: true,
    teamsIds: random.chance(0.2) ? null : teamIds.filter(() => random.chance(0.5)),
  };
}

/** Draws columns for some links only, as some links are older than their columns. */
function randomColumns(random: RandomSource): AttributeValues {
  const linked = accountIds.filter(() => random.chance(0.8));
  return Object.fromEntries(
    linked.map((id) => [
      id,
      {
        role: random.chance(0.3) ? null : random.pick(texts),
        ...(random.chance(0.3) ? {} : { isOff: random.chance(0.5) }),
      },
    ]),
  );
}

function randomSample(random: RandomSource, id: string): StoredRecord {
  const maybe = (value: AttributeValue) => (random.chance(0.25) ? null : value);
  const some = (values: readonly string[]) => maybe(values.filter(() => random.chance(0.4)));
  return {
    id,
    deleted: random.chance(0.05),
    name: maybe(random.pick(texts)),
    memo: maybe(`${random.pick(texts)} ${random.pick(texts)}`),
    page: maybe(random.pick(texts)),
    code: maybe(random.pick(texts)),
    color: maybe(random.pick(['#ffffff', '#0a0b0c'])),
    label: maybe(random.pick(['A-001', 'A-002'])),
    level: maybe(random.pick(['', 'low', 'High'])),
    tags: some(['x', 'y', 'z']),
    steps: some(['x', 'y', 'z']),
    words: some(texts),
    sites: some(['https://a.example', 'https://b.example']),
    flag: maybe(random.chance(0.5)),
    count: maybe(random.int(5) - 2),
    grade: maybe(random.int(5) - 2),
    serial: random.int(5),
    ratio: maybe((random.int(9) - 4) / 4),
    weight: maybe(random.pick([0.5, 1])),
    price: maybe(random.int(5) * 0.25),
    fromAges: maybe(random.int(5)),
    toAges: maybe(random.int(5)),
    day: maybe(random.pick(days)),
    moment: maybe(random.pick(moments)),
    due: maybe(random.pick(moments)),
    dueDate: maybe(random.pick(days)),
    span: maybe(random.int(5)),
    ...(random.chance(0.25) ? {} : { notes: { a: 1 } }),
    createdAt: random.pick(moments),
    placeCity: maybe(random.pick(texts)),
    ...amountOf(maybe(random.int(3) * 100.5)),
    amountCurrency: maybe('EUR'),
    converted: maybe(random.int(3) * 100.5),
    site: maybe('https://a.example'),
    twinId: maybe(random.pick(accountIds)),
    parentId: maybe(random.pick(accountIds)),
    parentType: maybe(random.pick(['Account', 'Contact'])),
    accountId: maybe(random.pick([...accountIds, 'never'])),
    accountsIds: some(accountIds),
    accountsColumns: maybe(randomColumns(random)),
    assignedUserId: maybe(random.pick([...userIds, 'nobody'])),
    ...addresses('emailAddress', random, emails),
    ...addresses('phoneNumber', random, phones),
  };
}

/** Without rates, an amount is its own converted value. */
const amountOf = (amount: AttributeValue) => ({ amount, amountConverted: amount });

/** Addresses in the form of the log: the first one is primary; without any, the list is empty or missing. */
function addresses(field: string, random: RandomSource, pool: readonly string[]): AttributeValues {
  const chosen = pool.filter(() => random.chance(0.3));
  if (chosen.length === 0 && random.chance(0.5)) return {};
  return {
    [field]: chosen[0] ?? null,
    [`${field}Data`]: chosen.map((address, index) => ({
      [field]: address,
      lower: address.toLowerCase(),
      primary: index === 0,
    })),
  };
}
