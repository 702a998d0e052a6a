import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { fieldTypes } from '../../../shared/domain/field/field-types.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import type { ApiAnswer, ApiClient } from '../api-client.ts';
import type { RandomSource } from '../builders/random-source.ts';
import { oddValue, oddValues } from './odd-values.ts';

export interface Fuzz {
  readonly admin: ApiClient;
  /** Writes an account after each batch. */
  readonly other: ApiClient;
  readonly random: RandomSource;
  /** How much of each batch is sent; undefined: everything. */
  readonly sample?: { readonly values: number; readonly entities: number; readonly fields: number };
  readonly say?: (line: string) => void;
}

interface Probe {
  readonly method: 'post' | 'put' | 'delete' | 'get';
  readonly path: string;
  readonly body?: unknown;
}

/**
 * Sends odd values for each attribute of every shipped entity type, then creates definitions with odd names and records
 * of these types, removes the definitions, and creates them again. Returns the failures: server errors, and batches
 * after which another user could not write.
 */
export async function fuzzProduct(fuzz: Fuzz): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [name, probes] of batchesOf(fuzz)) {
    const answers = await sendAll(fuzz.admin, probes);
    const failed = answers.filter(({ answer }) => answer.status >= 500);
    const taken = answers.filter(({ answer }) => answer.status < 300).length;
    fuzz.say?.(`${name}: ${answers.length} requests, ${taken} accepted, ${failed.length} failed\n`);
    problems.push(...failed.map(({ probe, answer }) => describe(name, probe, answer)));
    const write = await fuzz.other.post('/Account', { name: 'Another' }, noDuplicates);
    if (write.status === 200) continue;
    problems.push(`after ${name}: another user's write got ${write.status} ${write.text}`);
    break;
  }
  return problems;
}

const noDuplicates = { 'X-Skip-Duplicate-Check': 'true' };
const AT_ONCE = 8;

async function sendAll(admin: ApiClient, probes: readonly Probe[]) {
  const waiting = probes.values();
  const answers: { readonly probe: Probe; readonly answer: ApiAnswer }[] = [];
  const sendSome = async () => {
    for (const probe of waiting) {
      const { method, path, body } = probe;
      const answer =
        method === 'get' || method === 'delete'
          ? await admin[method](path)
          : await admin[method](path, body, noDuplicates);
      answers.push({ probe, answer });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return answers;
}

function describe(batch: string, { method, path, body }: Probe, answer: ApiAnswer): string {
  const sent = JSON.stringify(body)?.slice(0, 300) ?? '';
  return `${batch}: ${method} ${path} ${sent} got ${answer.status} ${answer.text.slice(0, 200)}`;
}

function* batchesOf(fuzz: Fuzz): Generator<readonly [string, readonly Probe[]]> {
  for (const model of models) {
    yield [`values of ${model.name}`, valuesOf(fuzz, model)];
    yield [`a list of ${model.name}`, [{ method: 'get', path: `/${model.name}?maxSize=200` }]];
  }
  const { entities, fields } = fuzz.sample ?? { entities: 60, fields: 300 };
  const types = take(fuzz, oddTypes, entities);
  yield ['entity types', types.map((name) => aType(fuzz, name))];
  yield ['fields', take(fuzz, oddNames, fields).map((name) => aField(fuzz, types, name))];
  yield ['links', take(fuzz, oddNames, fields / 3).map((name) => aLink(fuzz, types, name))];
  for (const type of [...types, 'Account', 'Contact'])
    yield [`records of ${type}`, records(fuzz, type)];
  yield ['removals', types.map((name) => removal(name))];
  yield ['entity types again', types.map((name) => aType(fuzz, name))];
}

const models = stockDefinitions
  .filter(({ isInternal, isObject, log }) => isInternal !== true && isObject && log === 'records')
  .map(buildEntityModel);

/** The attributes that a creation requires. */
const required = {
  name: 'x',
  lastName: 'x',
  assignedUserId: 'admin',
  dateStart: '2026-01-01 10:00:00',
  dateEnd: '2026-01-01 11:00:00',
  closeDate: '2026-01-01',
  amount: 1,
  stage: 'Prospecting',
};

function valuesOf({ random, sample }: Fuzz, model: (typeof models)[number]): readonly Probe[] {
  const path = `/${model.name}`;
  const post = (body: object): Probe => ({ method: 'post', path, body: { ...required, ...body } });
  const names = model.attributes.filter(({ writable }) => writable).map(({ name }) => name);
  const single = names.flatMap((name) => oddValues.map((value) => post({ [name]: value })));
  const mixed = Array.from({ length: names.length * 5 }, () =>
    post(
      Object.fromEntries(
        names.filter(() => random.chance(0.15)).map((name) => [name, oddValue(random)]),
      ),
    ),
  );
  const all = [...single, ...mixed];
  const times = all.filter(({ body }) =>
    /date(Start|End)|duration/.test(Object.keys(toObject(body)).slice(-1).join()),
  );
  return sample === undefined ? all : pickSome(random, [...all, ...times], sample.values);
}

const stockTypes = ['Account', 'Contact', 'Lead', 'Meeting', 'Note', 'User'];
const indexEnds = ['Created', 'Pkey', 'NameFolded', 'AccountId', 'CreatedById', 'Searched', 'Name'];
const oddTypes: readonly string[] = [
  ...['LeadCreated', 'ContactAccountId', 'RecordHistoryCommand', 'StreamMentions', 'PositionsPkey'],
  ...['X'.repeat(60), 'X'.repeat(64), `X${'x'.repeat(63)}`, `${'X'.repeat(59)}y`, 'Positions'],
  ...['RecordHistory', 'EntityCounts', 'RejectedEntries', 'PgClass', 'PgToastTemp', 'Text', 'Int4'],
  ...[
    'Select',
    'Table',
    'Order',
    'Object',
    'Constructor',
    'Array',
    'Map',
    'Tableoid',
    'Viewer',
    'Xx1',
  ],
  ...['Aab', 'AaB', 'AAb', 'AAB', 'Folded', 'Others', 'Inside', 'InformationSchema', 'ExpectRows'],
  ...stockTypes.flatMap((type) => indexEnds.map((end) => type + end)),
  ...['A b', 'Ab_c', 'a', '\u00c4pfel', 'Ab\u0000', '', 'X'.repeat(65), '__proto__'],
];
const oddNames: readonly string[] = [
  ...['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid', 'oid', 'select', 'order', 'user', 'null'],
  ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'id', 'version', 'deleted', 'total'],
  ...[
    'list',
    'name',
    'nameFolded',
    'account',
    'accountId',
    'accountName',
    'accountIds',
    'aB',
    'ab',
  ],
  ...['amount', 'amountCurrency', 'amountConverted', 'parentType', 'teamsIds', 'emailAddressData'],
  ...[`a${'B'.repeat(49)}`, `a${'B'.repeat(48)}C`, `a${'b'.repeat(49)}`, `a${'B'.repeat(48)}b`],
  ...[
    'x',
    'xId',
    'xName',
    'xType',
    'xIds',
    'xNames',
    'xColumns',
    'xCurrency',
    'xConverted',
    'xDate',
  ],
  ...['row', 'key', 'value', 'position', 'count', 'where', 'w0', 'c0', 's1', 't', 'v', 'a1', 'a1B'],
  ...['x_y', 'X', '1a', '', '\u00e4', 'a\u0000', '__proto__', 'a'.repeat(51), 'then', 'toJSON'],
  ...Array.from({ length: 60 }, (_, index) => `field${index}`),
];
const templates = ['Base', 'BasePlus', 'Event', 'Person', 'Company'];
const creatable = fieldTypes.filter((type) => 'isCreatable' in type).map(({ name }) => name);
const linkTypes = ['manyToOne', 'oneToMany', 'manyToMany', 'childrenToParent'];
const oddTexts = [
  '',
  'x',
  "a'b",
  '"',
  '\\',
  '$1',
  '\u0000',
  '\ud83d',
  '\u{1f642}',
  'x'.repeat(250),
];

function aType({ random }: Fuzz, name: string): Probe {
  return {
    method: 'post',
    path: '/EntityManager/action/createEntity',
    body: {
      name,
      type: random.pick(templates),
      stream: random.chance(0.5),
      ...(random.chance(0.3) ? { labelSingular: random.pick(oddTexts) } : {}),
      ...(random.chance(0.3) ? { textFilterFields: ['name', 'description'] } : {}),
    },
  };
}

function aField({ random }: Fuzz, types: readonly string[], name: string): Probe {
  const scope = random.pick([...types.slice(0, 4), 'Account', 'Contact']);
  const settings = [
    { label: random.pick(oddTexts) },
    { options: [random.pick(oddTexts), random.pick(oddTexts)] },
    { default: oddValue(random) },
    { min: random.pick([5e-324, 1e308, -1, 2 ** 53]), max: random.pick([0, 1e308]) },
    { maxLength: random.pick([1, 255, 1_000_000, 1e308]) },
    { padLength: random.pick([1, 100, 1_000_000]), prefix: random.pick(oddTexts) },
    { pattern: random.pick(['.*', '(', '\\p{L}', 'x{1000}']) },
  ];
  const given = settings.filter(() => random.chance(0.25));
  const body = Object.assign({ name, type: random.pick(creatable) }, ...given);
  return { method: 'post', path: `/Admin/fieldManager/${encodeURIComponent(scope)}`, body };
}

function aLink({ random }: Fuzz, types: readonly string[], name: string): Probe {
  const scopes = [...types, 'Account', 'Contact', 'User'];
  const [entity, entityForeign] = [random.pick(scopes), random.pick(scopes)];
  return {
    method: 'post',
    path: '/EntityManager/action/createLink',
    body: {
      entity,
      entityForeign,
      link: name,
      linkForeign: random.pick(oddNames),
      linkType: random.pick(linkTypes),
      label: random.pick(oddTexts),
      parentEntityTypeList: [entityForeign, 'Account'],
    },
  };
}

function records({ random }: Fuzz, type: string): readonly Probe[] {
  const path = `/${encodeURIComponent(type)}`;
  const bodies = Array.from({ length: 12 }, () => {
    const names = oddNames.filter(() => random.chance(0.3));
    const odd = names.map((name) => [name, oddValue(random)]);
    return { ...Object.fromEntries(odd), ...required };
  });
  return [
    ...bodies.map((body): Probe => ({ method: 'post', path, body })),
    { method: 'get', path: `${path}?maxSize=50&textFilter=x*` },
  ];
}

function removal(name: string): Probe {
  return { method: 'post', path: '/EntityManager/action/removeEntity', body: { name } };
}

/**
 * Returns all values if everything is sent; otherwise the first ones, which are known to cause trouble, and a random
 * selection.
 */
function take<Value>({ random, sample }: Fuzz, values: readonly Value[], count: number) {
  if (sample === undefined) return values;
  const first = values.slice(0, count / 2);
  return [...first, ...pickSome(random, values.slice(first.length), count - first.length)];
}

function pickSome<Value>(random: RandomSource, values: readonly Value[], count: number) {
  const left = [...values];
  const picked: Value[] = [];
  while (picked.length < count && left.length > 0)
    picked.push(...left.splice(random.int(left.length), 1));
  return picked;
}
