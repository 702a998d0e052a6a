import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { requireStorable } from '../../services/command/writer/require-storable.ts';
import type { RowChange } from '../../services/projector/consume/collapse.ts';
import { execute } from '../../services/projector/consume/execute-batch.ts';
import { ensureTables } from '../../services/projector/tables/ensure-tables.ts';
import { columnTypes } from '../../shared/db/tables/read-model-names.ts';
import {
  buildEntityModel,
  type EntityModel,
} from '../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../shared/domain/errors.ts';
import type { AttributeKind } from '../../shared/domain/field/attribute.ts';
import { type FieldDefinition, fieldTypeNames } from '../../shared/domain/field/field-types.ts';
import { isStorable } from '../../shared/domain/field/is-storable.ts';
import { convertAmounts } from '../../shared/domain/input/convert-amounts.ts';
import { deriveValues } from '../../shared/domain/input/derive-values.ts';
import { readInput } from '../../shared/domain/input/read-input.ts';
import { decideCreate } from '../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../shared/domain/record/followed-rules.ts';
import { emptyValues } from '../../shared/domain/record/to-record-body.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../shared/domain/value/attribute-values.ts';
import { oddValue, oddValues } from '../support/bad-input/odd-values.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';

const seed = Number(process.env['PROPERTY_SEED'] ?? 35);
const random = createRandomSource(seed);
let database: TestDatabase;
let client: pg.Client;

/** Fields that are not named like their type. */
const typesOf: Readonly<Record<string, string>> = {
  otherTime: 'datetimeOptional',
  // `currency` has an attribute `currencyConverted`.
  worth: 'currencyConverted',
};

/** Settings that a type requires. */
const settings: Readonly<Record<string, object>> = {
  enum: { options: ['a', '\u{1f642}'] },
  phone: { options: ['Office'] },
  link: { entityType: 'Account' },
  linkOne: { entityType: 'Account', foreign: 'x' },
  linkMultiple: { entityType: 'Account', columns: { role: { type: 'varchar' } } },
  linkParent: { entityList: ['Account'] },
  foreign: { link: 'link', entityType: 'Account', readOnly: true },
  duration: { start: 'datetimeOptional', end: 'otherTime' },
  worth: { amount: 'currency', percent: 'int' },
  number: { prefix: 'N-', padLength: 100 },
};
const fields = Object.fromEntries(
  [...fieldTypeNames.filter((name) => name !== 'currencyConverted'), ...Object.keys(typesOf)].map(
    (name) => {
      const type = typesOf[name] ?? name;
      return [name, { type, ...settings[name] }];
    },
  ),
) as unknown as Readonly<Record<string, FieldDefinition>>;

const everything = buildEntityModel({
  name: 'Everything',
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: { name: { type: 'varchar' }, ...fields },
  textFilterFields: ['name', 'varchar', 'text', 'email', 'enum', 'url', 'barcode'],
});
const models = [...stockDefinitions.map(buildEntityModel), everything];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await ensureTables(client, { schema: 'annals', models: [...models, wide], isIndexed: true });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const rates = new Map([
  ['USD', 1],
  ['EUR', 1.1],
  ['JPY', 0.007],
]);

/** Returns all values of a new record; empty if it is rejected. */
function decide(model: EntityModel, body: AttributeValues): readonly AttributeValues[] {
  const { values } = readInput(model, body, 'create');
  const derived = deriveValues(model, null, values);
  const after = convertAmounts(model, { after: derived.values, current: null }, rates);
  const all = withFollowedRules(model, { current: {}, after, now: Date.now() });
  try {
    const { changes } = decideCreate(undefined, all, emptyValues(model));
    requireStorable(model, changes, all);
    return [all];
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return [];
  }
}

let records = 0;

function nextId(): string {
  records += 1;
  return String(records);
}

async function store(model: EntityModel, values: readonly AttributeValues[]): Promise<void> {
  const changes: readonly RowChange[] = values.map((one) => ({
    entityType: model.name,
    recordId: nextId(),
    partition: 0,
    baseVersion: 0,
    wasLive: false,
    version: 1,
    deleted: false,
    values: new Map(Object.entries(one)),
  }));
  await execute(client, {
    schema: 'annals',
    changes,
    events: [],
    moved: [],
    model: (name) => (name === model.name ? model : undefined),
    isSilent: true,
  });
}

describe('values that decisions accept', () => {
  it.each(Object.keys(fields))('can be stored in Postgres in a field of type %s', async (field) => {
    const names = everything.attributes
      .filter((one) => one.field === field)
      .map(({ name }) => name);
    const single = names.flatMap((name) => oddValues.map((value) => ({ [name]: value })));
    const mixed = Array.from({ length: 60 }, () =>
      Object.fromEntries(names.map((name) => [name, oddValue(random)])),
    );
    const bodies = [...single, ...mixed].map((body) => ({ name: 'x', ...body }));
    const accepted = bodies.flatMap((body) => decide(everything, body));
    expect(accepted.length).toBeGreaterThan(0);
    await store(everything, accepted);
  });

  it('can be stored in Postgres in records of every shipped entity type', async () => {
    for (const model of models) {
      const names = model.attributes.map(({ name }) => name);
      const bodies = Array.from({ length: 40 }, () =>
        Object.fromEntries(
          names.filter(() => random.chance(0.4)).map((name) => [name, oddValue(random)]),
        ),
      );
      const accepted = bodies.flatMap((body) => decide(model, body));
      await store(model, accepted);
    }
  });

  it.each(Object.keys(columnTypes) as AttributeKind[])(
    'are exactly the values that a column for %s accepts',
    async (kind) => {
      const unequal: unknown[] = [];
      for (const value of [...oddValues, ...strictValues]) {
        const isTaken = await takes(kind, value as AttributeValue);
        const isAccepted = isStorable(kind, value as AttributeValue);
        if (isAccepted && !isTaken) unequal.push(value);
      }
      expect(unequal).toEqual([]);
      for (const value of boundaries[kind])
        expect([value, isStorable(kind, value)]).toEqual([value, true]);
    },
  );
});

const strictValues = [
  -2_147_483_648,
  2_147_483_648,
  '9999999999999.9999',
  '10000-01-01',
  '0000-01-01',
];
const boundaries: Readonly<Record<AttributeKind, readonly AttributeValue[]>> = {
  string: ['', '\u{1f642}', '\uffff'],
  bool: [true, false],
  int: [2_147_483_647, -2_147_483_647],
  float: [5e-324, -1.7976931348623157e308],
  decimal: ['9999999999999.9999', '-0.0001'],
  date: ['0001-01-01', '9999-12-31'],
  datetime: ['0001-01-01 00:00:00', '9999-12-31 23:59:59'],
  strings: [[], ['"', '\\', '{}', 'NULL', '']],
  json: [{ '': [5e-324, 1e308, null, ''] }, []],
};

/** True if Postgres accepts the text that the projector sends for the value. */
async function takes(kind: AttributeKind, value: AttributeValue): Promise<boolean> {
  const sent = value === null ? null : textOf(kind, value);
  return client.query(`select $1::${columnTypes[kind]}`, [sent]).then(
    () => true,
    () => false,
  );
}

function textOf(kind: AttributeKind, value: AttributeValue): unknown {
  if (kind === 'json') return JSON.stringify(value);
  return kind === 'strings' ? value : String(value);
}

const wideKinds = [
  'varchar',
  'text',
  'int',
  'float',
  'bool',
  'date',
  'datetime',
  'decimal',
  'array',
];
const wide = buildEntityModel({
  name: 'Wide',
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
  textFilterFields: ['f0', 'f9', 'f18'],
  fields: Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [
      `f${index}`,
      { type: wideKinds[index % wideKinds.length] },
    ]),
  ) as unknown as Readonly<Record<string, FieldDefinition>>,
});

/** Returns a text of few characters, which Postgres compresses, or of many. */
function textOfLength(length: number): string {
  const characters = random.pick([
    'x',
    'xy',
    'abcdefghijklm',
    'abcdefghijklmnopqrstuvwxyz0123456789',
  ]);
  return Array.from({ length }, (_, index) => characters[index % characters.length]).join('');
}

describe('a row within the size limit', () => {
  const valuesOf: Readonly<Record<AttributeKind, (length: number) => AttributeValue>> = {
    string: textOfLength,
    strings: (length) => ['y'.repeat(length)],
    json: (length) => ['z'.repeat(length)],
    decimal: () => '9999999999999.9999',
    int: () => 2_147_483_647,
    float: () => 1.5,
    bool: () => true,
    date: () => '2026-01-01',
    datetime: () => '2026-01-01 10:00:00',
  };
  const fits = (values: AttributeValues): boolean => {
    try {
      requireStorable(wide, [{ attribute: 'f0', before: null, after: 'x' }], values);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ detail: { errors: [{ field: 'f0', type: 'rowSize' }] } });
      return false;
    }
  };

  /** Fills a row up to the limit. */
  function fillRow(length: number, chance: number): AttributeValues {
    const values: Record<string, AttributeValue> = {};
    for (const { name, kind } of wide.columns.filter(() => random.chance(chance))) {
      values[name] = valuesOf[kind](length);
      if (!fits(values)) delete values[name];
    }
    return values;
  }

  it.each([1, 19, 20, 22, 23, 24, 25, 31, 32, 40, 127, 300, 3_000])(
    'can be stored in Postgres with texts of %i bytes in all accepted columns',
    async (length) => {
      await store(
        wide,
        [0.3, 0.5, 0.8, 1].map((chance) => fillRow(length, chance)),
      );
    },
  );
});
