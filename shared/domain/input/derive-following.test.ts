import { describe, expect, it } from 'vitest';
import { buildEntityModel, type EntityModel } from '../entity/model/entity-model.ts';
import { callDefinition, meetingDefinition } from '../entity/stock/activities.ts';
import { opportunityDefinition } from '../entity/stock/opportunity.ts';
import { type FieldDefinition, formatNumber } from '../field/field-types.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { deriveValues } from './derive-values.ts';
import { joinProblems } from './join-problems.ts';

const meeting = buildEntityModel(meetingDefinition);
const call = buildEntityModel(callDefinition);
const opportunity = buildEntityModel(opportunityDefinition);

describe('deriveValues for durations', () => {
  const tenToEleven = { dateStart: '2030-01-31 10:00:00', dateEnd: '2030-01-31 11:00:00' };

  it.each<[AttributeValues | null, AttributeValues, AttributeValues]>([
    [null, tenToEleven, { duration: 3600 }],
    [null, { ...tenToEleven, duration: 60 }, { duration: 3600 }],
    [
      null,
      { dateStart: '2030-01-31 23:50:00', duration: 900 },
      { dateEnd: '2030-02-01 00:05:00', duration: 900 },
    ],
    [{ ...tenToEleven, duration: 3600 }, { duration: 600 }, { dateEnd: '2030-01-31 10:10:00' }],
    [{ ...tenToEleven, duration: 3600 }, { dateEnd: '2030-01-31 12:00:00' }, { duration: 7200 }],
    [{ ...tenToEleven, duration: 3600 }, { dateStart: null }, { duration: null }],
    [null, {}, { duration: null }],
    [null, { dateStart: '9999-12-31 23:59:58', duration: 60 }, { dateEnd: '9999-12-31 23:59:59' }],
  ])('maps the current values %j and the input %j to %j', (current, given, expected) => {
    expect(deriveValues(call, current, given).values).toMatchObject(expected);
  });

  it('counts whole days including the last one', () => {
    const days = { dateStartDate: '2030-01-31', dateEndDate: '2030-02-01' };
    expect(deriveValues(meeting, null, days).values).toMatchObject({
      ...days,
      dateStart: null,
      dateEnd: null,
      duration: 172_800,
    });
    const fromDuration = { dateStartDate: '2030-01-31', duration: 100_000 };
    expect(deriveValues(meeting, null, fromDuration).values).toMatchObject({
      dateEndDate: '2030-02-01',
      dateEnd: null,
      duration: 172_800,
    });
  });

  it('adds only attributes that the entity type has', () => {
    const { values } = deriveValues(call, null, { dateStart: '2030-01-31 10:00:00', duration: 1 });
    expect(Object.keys(values).filter((name) => !call.attribute.has(name))).toEqual([]);
  });

  it('keeps the duration when unrelated fields are written', () => {
    expect(deriveValues(call, tenToEleven, { name: 'x' }).values).toEqual({ name: 'x' });
  });
});

describe('deriveValues for fields with a day or a time', () => {
  it.each<[AttributeValues, AttributeValues]>([
    [
      { dateStart: '2030-01-31 10:00:00' },
      { dateStart: '2030-01-31 10:00:00', dateStartDate: null },
    ],
    [{ dateStartDate: '2030-01-31' }, { dateStart: null, dateStartDate: '2030-01-31' }],
    [
      { dateStart: '2030-01-31 10:00:00', dateStartDate: '2030-01-31' },
      { dateStart: null, dateStartDate: '2030-01-31' },
    ],
  ])('stores %j as %j', (given, kept) => {
    expect(deriveValues(meeting, {}, given).values).toMatchObject(kept);
  });
});

describe('deriveValues for the stage of an opportunity', () => {
  it.each<[AttributeValues | null, AttributeValues, AttributeValues]>([
    [null, { amount: 500 }, { stage: 'Prospecting', probability: 10, amountWeightedConverted: 50 }],
    [null, { amount: 500, stage: 'Proposal' }, { probability: 50, lastStage: 'Proposal' }],
    [null, { amount: 500, stage: 'Proposal', probability: 7 }, { probability: 7 }],
    [null, { stage: 'Closed Won' }, { probability: 100, lastStage: null }],
    [
      { stage: 'Proposal', lastStage: 'Proposal', probability: 50, amountConverted: 10 },
      { stage: 'Closed Lost' },
      { probability: 0, amountWeightedConverted: 0 },
    ],
    [{ probability: 50, amountConverted: 10 }, { amount: 3 }, { amountWeightedConverted: 1.5 }],
    [{ probability: 50, amountConverted: 10 }, { amount: null }, { amountWeightedConverted: null }],
  ])('maps the current values %j and the input %j to %j', (current, given, expected) => {
    expect(deriveValues(opportunity, current, given).values).toMatchObject(expected);
  });

  it('keeps the last open stage when the opportunity is lost', () => {
    expect(deriveValues(opportunity, {}, { stage: 'Closed Lost' }).values).not.toHaveProperty(
      'lastStage',
    );
  });

  it('does not change an explicitly set probability', () => {
    expect(deriveValues(opportunity, {}, { name: 'x' }).values).toEqual({ name: 'x' });
  });
});

describe('deriveValues for incomplete parents', () => {
  it.each<[AttributeValues, readonly string[]]>([
    [{ parentId: 'a' }, ['parent valid']],
    [{ parentType: 'Account' }, ['parent valid']],
    [{ parentType: 'Account', parentId: 'a' }, []],
    [{ parentId: null }, []],
    [{ parentType: null }, []],
    [{ parentType: 'Account', parentId: null }, []],
    [{ name: null, parentId: 'a' }, ['name required', 'parent valid']],
  ])('rejects the input %j with %j', (given, expected) => {
    const current = { parentType: 'Account', parentId: 'b', name: 'x' };
    const { problems } = deriveValues(call, current, given);
    expect(problems.map(({ field, type }) => `${field} ${type}`)).toEqual(expected);
  });

  it('reports no second problem if the other half is rejected', () => {
    const message = 'parentType must be one.';
    const refused = [{ field: 'parent', type: 'valid', message } as const];
    const { problems } = deriveValues(call, {}, { parentId: 'a' });
    expect(joinProblems(call, refused, problems)).toEqual(refused);
  });
});

describe('deriveValues for a currency range', () => {
  it('sets the currency at both ends', () => {
    const model = modelWith({ type: 'rangeCurrency' });
    expect(deriveValues(model, null, { fromX: 1 }).values).toMatchObject({
      fromX: 1,
      fromXCurrency: 'USD',
      fromXConverted: 1,
      toX: null,
      toXCurrency: null,
    });
  });
});

describe('deriveValues for a new record', () => {
  it('sets empty link columns and no number', () => {
    const columns = { role: { type: 'varchar' } } as const;
    const model = modelWith({ type: 'linkMultiple', entityType: 'Account', columns });
    expect(deriveValues(model, null, {}).values).toMatchObject({ xIds: [], xColumns: {} });
    expect(deriveValues(modelWith({ type: 'number' }), null, {}).values).not.toHaveProperty('x');
  });

  it.each<[FieldDefinition, number, string | number]>([
    [{ type: 'number', prefix: 'INV-' }, 1, 'INV-00001'],
    [{ type: 'number', prefix: '2026', padLength: 3 }, 12, '2026012'],
    [{ type: 'number' }, 1_234_567, '1234567'],
    [{ type: 'autoincrement' }, 7, 7],
  ])('with %j, formats the number %j as %j', (definition, number, shown) => {
    expect(formatNumber(definition, number)).toBe(shown);
  });
});

function modelWith(definition: FieldDefinition): EntityModel {
  return buildEntityModel({
    name: 'Thing',
    fields: { x: definition },
    orderBy: 'createdAt',
    order: 'desc',
    log: 'records',
    isObject: false,
  });
}
