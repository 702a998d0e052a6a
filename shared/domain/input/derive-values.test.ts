import { describe, expect, it } from 'vitest';
import { buildEntityModel, type EntityModel } from '../entity/model/entity-model.ts';
import { accountDefinition } from '../entity/stock/account.ts';
import { caseDefinition } from '../entity/stock/case.ts';
import { contactDefinition } from '../entity/stock/contact.ts';
import { leadDefinition } from '../entity/stock/lead.ts';
import { userDefinition } from '../entity/stock/user.ts';
import type { FieldDefinition } from '../field/field-types.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { deriveValues } from './derive-values.ts';

const account = buildEntityModel(accountDefinition);
const contact = buildEntityModel(contactDefinition);
const lead = buildEntityModel(leadDefinition);

describe('deriveValues for a new record', () => {
  it('applies defaults', () => {
    const { values } = deriveValues(buildEntityModel(caseDefinition), null, { name: 'Leak' });
    expect(values).toMatchObject({
      name: 'Leak',
      status: 'New',
      priority: 'Normal',
      type: null,
      description: null,
      isInternal: false,
      contactsIds: [],
      accountId: null,
    });
  });

  it('sets every bool, including unstored bools', () => {
    expect(deriveValues(account, null, { name: 'Acme' }).values).toMatchObject({
      contactIsInactive: false,
      targetListIsOptedOut: false,
      emailAddressIsOptedOut: false,
      emailAddressIsInvalid: false,
      phoneNumberIsOptedOut: false,
      phoneNumberIsInvalid: false,
      isFollowed: false,
    });
    const user = deriveValues(buildEntityModel(userDefinition), null, { userName: 'ada' });
    expect(user.values).toMatchObject({ isActive: true, type: 'regular' });
  });

  it('sets lists to empty rather than null', () => {
    expect(deriveValues(account, null, { name: 'Acme' }).values).toMatchObject({
      emailAddressData: [],
      phoneNumberData: [],
      teamsIds: [],
    });
  });

  it('sets no stamps, counters or linked names', () => {
    const { values } = deriveValues(buildEntityModel(caseDefinition), null, { name: 'Leak' });
    for (const absent of [
      'id',
      'createdAt',
      'createdById',
      'number',
      'accountName',
      'teamsNames',
    ]) {
      expect(values).not.toHaveProperty(absent);
    }
  });

  it('keeps an explicit null instead of the default', () => {
    expect(deriveValues(lead, null, { accountName: 'Acme', status: null }).values).toMatchObject({
      status: null,
    });
  });

  it('reports every missing required field in field order', () => {
    const model = modelWith({
      text: { type: 'varchar', required: true },
      mail: { type: 'email', required: true },
      home: { type: 'address', required: true },
      boss: { type: 'link', entityType: 'User', required: true },
      teams: { type: 'linkMultiple', entityType: 'Team', required: true },
      tags: { type: 'array', required: true },
      price: { type: 'currency', required: true },
      agreed: { type: 'bool', required: true },
      stamp: { type: 'datetime', required: true, readOnly: true },
    });
    const { problems } = deriveValues(model, null, {});
    expect(problems.map(({ field, type }) => `${field} ${type}`)).toEqual(
      ['text', 'mail', 'home', 'boss', 'teams', 'tags', 'price'].map(
        (field) => `${field} required`,
      ),
    );
    expect(problems[0]?.message).toBe('text is required.');
  });

  it('accepts one part of a required address and zero as a required number', () => {
    const model = modelWith({
      home: { type: 'address', required: true },
      price: { type: 'currency', required: true },
      size: { type: 'int', required: true },
    });
    expect(deriveValues(model, null, { homeCity: 'Berlin', price: 0, size: 0 }).problems).toEqual(
      [],
    );
  });
});

describe('deriveValues for an update', () => {
  const current = { name: 'Acme', website: null, type: 'Customer', teamsIds: ['a'] };

  it('writes only the given values', () => {
    expect(deriveValues(account, current, { website: 'acme.example' })).toEqual({
      values: { website: 'acme.example' },
      problems: [],
    });
  });

  it('checks only the required fields that are written', () => {
    expect(deriveValues(account, {}, { website: null }).problems).toEqual([]);
    expect(deriveValues(account, current, { name: null }).problems).toEqual([
      { field: 'name', type: 'required', message: 'name is required.' },
    ]);
  });

  it('allows clearing one part of a required address while another remains', () => {
    const model = modelWith({ home: { type: 'address', required: true } });
    const home = { homeCity: 'Berlin', homeStreet: 'Am Ufer 1' };
    expect(deriveValues(model, home, { homeStreet: null }).problems).toEqual([]);
    expect(deriveValues(model, home, { homeStreet: null, homeCity: null }).problems).toHaveLength(
      1,
    );
  });
});

describe('deriveValues for the name of a person', () => {
  it.each<[AttributeValues | null, AttributeValues, string | null | undefined]>([
    [null, { firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
    [null, { lastName: 'Lovelace' }, 'Lovelace'],
    [null, {}, null],
    [{ firstName: 'Ada', lastName: 'Byron' }, { lastName: 'Lovelace' }, 'Ada Lovelace'],
    [{ firstName: 'Ada', lastName: 'Byron' }, { firstName: null }, 'Byron'],
    [{ firstName: 'Ada', lastName: null }, { firstName: null }, null],
    [{ firstName: 'Ada', lastName: 'Byron' }, { title: 'Countess' }, undefined],
    [{ firstName: 'Ada', lastName: 'Byron' }, { salutationName: 'Ms.' }, undefined],
  ])('maps the current values %j and the input %j to the name %j', (current, given, name) => {
    expect(deriveValues(contact, current, given).values['name']).toBe(name);
  });

  it('does not require a name for a lead with contact data or a company', () => {
    expect(missing(lead, null, {})).toEqual(['name']);
    expect(missing(lead, null, { description: 'Met at the fair' })).toEqual(['name']);
    for (const given of [
      { accountName: 'Acme' },
      { emailAddress: 'ada@example.com' },
      { phoneNumberData: [phone('+15550100', true)] },
      { lastName: 'Lovelace' },
      { firstName: 'Ada' },
    ]) {
      expect(missing(lead, null, given)).toEqual([]);
    }
  });

  it('requires a name when the last substitute is removed', () => {
    const current = { accountName: 'Acme', name: null };
    expect(missing(lead, current, { accountName: null })).toEqual(['name']);
    expect(missing(lead, current, { accountName: null, lastName: 'Lovelace' })).toEqual([]);
    expect(missing(lead, { ...current, phoneNumber: '+15550100' }, { accountName: null })).toEqual(
      [],
    );
    expect(missing(lead, { name: null }, { description: 'x' })).toEqual([]);
  });
});

describe('deriveValues for an amount of money', () => {
  it.each<[AttributeValues | null, AttributeValues, AttributeValues]>([
    [null, { opportunityAmount: 5 }, money(5, 'USD')],
    [null, { opportunityAmount: 0 }, money(0, 'USD')],
    [null, { opportunityAmountCurrency: 'USD' }, money(null, null)],
    [null, {}, money(null, null)],
    [money(5, 'USD'), { opportunityAmount: 7 }, money(7, 'USD')],
    [money(5, 'USD'), { opportunityAmount: null }, money(null, null)],
    [money(5, 'USD'), { opportunityAmountCurrency: null }, money(5, 'USD')],
  ])('maps the current values %j and the input %j to %j', (current, given, expected) => {
    expect(deriveValues(lead, current, given).values).toMatchObject(expected);
  });
});

function missing(
  model: EntityModel,
  current: AttributeValues | null,
  given: AttributeValues,
): readonly string[] {
  return deriveValues(model, current, given).problems.map(({ field }) => field);
}

function money(amount: number | null, code: string | null): AttributeValues {
  return {
    opportunityAmount: amount,
    opportunityAmountCurrency: code,
    opportunityAmountConverted: amount,
  };
}

function phone(phoneNumber: string, primary: boolean) {
  return { phoneNumber, type: 'Mobile', primary, optOut: false, invalid: false };
}

function modelWith(fields: Readonly<Record<string, FieldDefinition>>): EntityModel {
  return buildEntityModel({
    name: 'Thing',
    fields,
    orderBy: 'createdAt',
    order: 'desc',
    log: 'records',
    isObject: false,
  });
}
