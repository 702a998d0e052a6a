import { describe, expect, it } from 'vitest';
import { buildEntityModel, type EntityModel } from '../entity/model/entity-model.ts';
import { accountDefinition } from '../entity/stock/account.ts';
import { contactDefinition } from '../entity/stock/contact.ts';
import { leadDefinition } from '../entity/stock/lead.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { webhookDefinition } from '../entity/stock/webhook.ts';
import type { FieldDefinition } from '../field/field-types.ts';
import { readInput } from './read-input.ts';

const account = buildEntityModel(accountDefinition);
const contact = buildEntityModel(contactDefinition);
const lead = buildEntityModel(leadDefinition);
const webhook = buildEntityModel(webhookDefinition);

describe('readInput', () => {
  it('returns writable values in stored form', () => {
    const body = {
      name: '  Acme  ',
      website: '',
      type: 'Customer',
      billingAddressCity: 'Berlin',
      billingAddressLatitude: '52.5',
      assignedUserId: '65f0c0ffee0000001',
      teamsIds: ['a', 'a'],
    };
    expect(readInput(account, body, 'create')).toEqual({
      values: {
        name: 'Acme',
        website: null,
        type: 'Customer',
        billingAddressCity: 'Berlin',
        billingAddressLatitude: 52.5,
        assignedUserId: '65f0c0ffee0000001',
        teamsIds: ['a'],
      },
      problems: [],
      unknown: [],
    });
  });

  it.each([
    [{ options: ['red'] }, undefined],
    [{ options: ['red'], allowCustomOptions: true }, ['red', 'blue']],
  ])('checks list values against the options of a field with %j', (parts, kept) => {
    for (const type of ['multiEnum', 'checklist', 'array'] as const) {
      const tags: FieldDefinition = { type, ...parts };
      const model = buildEntityModel({ ...accountDefinition, fields: { tags } });
      const { values, problems } = readInput(model, { tags: ['red', 'blue'] }, 'create');
      expect(values['tags']).toEqual(kept);
      expect(problems).toHaveLength(kept === undefined ? 1 : 0);
    }
  });

  it('silently ignores attributes that Annals sets, even if they are malformed', () => {
    const systemOwn = {
      id: 7,
      deleted: 'x',
      createdAt: 'never',
      createdById: {},
      createdByName: 'Eve',
      modifiedAt: [],
      modifiedById: 'eve',
      modifiedByName: null,
      versionNumber: 99,
    };
    const readOnly = { isFollowed: {}, isLocked: 1, originalLeadId: 'x', targetListIsOptedOut: 1 };
    const companions = { assignedUserName: 'Eve', teamsNames: { a: 'A' }, campaignName: 7 };
    const notStored = { contactRole: 'CEO', contactIsInactive: true };
    expect(
      readInput(account, { ...systemOwn, ...readOnly, ...companions, ...notStored }, 'create'),
    ).toEqual({ values: {}, problems: [], unknown: [] });
    expect(readInput(contact, { name: 'Eve', accountType: 'Customer' }, 'update')).toEqual({
      values: {},
      problems: [],
      unknown: [],
    });
  });

  it('accepts an option from an earlier version', () => {
    for (const model of [account, buildEntityModel(leadDefinition)]) {
      const { values, problems } = readInput(model, { industry: 'Fishing' }, 'update');
      expect([values, problems]).toEqual([{ industry: 'Fishing' }, []]);
    }
    expect(readInput(account, { industry: 'Angling' }, 'update').problems).toMatchObject([
      { field: 'industry', type: 'valid' },
    ]);
  });

  it('lists names that are not attributes of the entity type', () => {
    const body = { nmae: 'Acme', account: 'x', billingAddress: {}, Name: 'Acme' };
    expect(readInput(account, body, 'update')).toEqual({
      values: {},
      problems: [],
      unknown: ['nmae', 'account', 'billingAddress', 'Name'],
    });
  });

  it('treats the property names of JavaScript objects as unknown', () => {
    const body = JSON.parse(
      '{"__proto__":{"name":"Eve"},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":1}',
    );
    const input = readInput(account, body, 'create');
    expect(input.unknown).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
    expect(input.values).toEqual({});
    expect(Object.getPrototypeOf(input.values)).toBe(Object.prototype);
  });

  it('ignores undefined attributes', () => {
    expect(readInput(account, { name: undefined }, 'create').values).toEqual({});
  });

  it('reads a field that is read-only after create only on create', () => {
    const body = { event: 'Account.create', url: 'https://example.com' };
    expect(readInput(webhook, body, 'create').values).toEqual(body);
    expect(readInput(webhook, { ...body, event: 7 }, 'update')).toEqual({
      values: { url: 'https://example.com' },
      problems: [],
      unknown: [],
    });
  });

  it('reports every failing field in field order, regardless of the body', () => {
    const body = {
      teamsIds: 'a',
      billingAddressCity: '<b>',
      type: 'Enemy',
      emailAddressData: {},
      website: 'not a url',
      name: 'x'.repeat(250),
    };
    const { values, problems } = readInput(account, body, 'create');
    expect(values).toEqual({});
    expect(problems).toMatchObject([
      { field: 'name', type: 'maxLength', message: 'name must be at most 249 characters long.' },
      { field: 'website', type: 'valid', message: 'website must be a URL.' },
      { field: 'emailAddress', type: 'valid', message: 'emailAddressData must be a list.' },
      {
        field: 'type',
        type: 'valid',
        message: 'type must be one of: Customer, Investor, Partner, Reseller.',
      },
      {
        field: 'billingAddress',
        type: 'pattern',
        message: 'billingAddressCity must not contain < > or =.',
      },
      { field: 'teams', type: 'valid', message: 'teamsIds must be a list of ids.' },
    ]);
  });

  it('reads the currency of an amount', () => {
    const body = { opportunityAmount: '100', opportunityAmountCurrency: 'USD' };
    expect(readInput(lead, body, 'create').values).toEqual({ ...body, opportunityAmount: 100 });
    expect(typesOf(lead, { opportunityAmount: -1 })).toEqual(['min']);
    expect(typesOf(lead, { opportunityAmountCurrency: 'usd' })).toEqual(['validCurrency']);
    expect(readInput(lead, { opportunityAmountConverted: 'x' }, 'create').problems).toEqual([]);
  });
});

describe('default limits for fields', () => {
  it.each<[FieldDefinition, string, string]>([
    [{ type: 'varchar' }, 'x', 'a'.repeat(255)],
    [{ type: 'enum' }, 'x', 'a'.repeat(255)],
    [{ type: 'url' }, 'x', 'a'.repeat(255)],
    [{ type: 'secret' }, 'x', 'a'.repeat(255)],
    [{ type: 'address' }, 'xStreet', 'a'.repeat(255)],
    [{ type: 'address' }, 'xCity', 'a'.repeat(100)],
    [{ type: 'address' }, 'xState', 'a'.repeat(100)],
    [{ type: 'address' }, 'xCountry', 'a'.repeat(100)],
    [{ type: 'address' }, 'xPostalCode', 'a'.repeat(40)],
  ])('apply to %j and limit the length of %s', (definition, attribute, longest) => {
    const model = modelWith(definition);
    expect(typesOf(model, { [attribute]: longest })).toEqual([]);
    expect(typesOf(model, { [attribute]: `${longest}a` })).toEqual(['maxLength']);
  });

  it('do not limit the length of text', () => {
    expect(typesOf(modelWith({ type: 'text' }), { x: 'a'.repeat(1_000_000) })).toEqual([]);
  });

  it('allow list entries of 100 characters, ten e-mail addresses and ten phone numbers', () => {
    expect(typesOf(modelWith({ type: 'array' }), { x: ['a'.repeat(101)] })).toEqual([
      'maxItemLength',
    ]);
    const emails = Array.from({ length: 11 }, (_, index) => ({ emailAddress: `${index}@x.org` }));
    expect(typesOf(modelWith({ type: 'email' }), { xData: emails })).toEqual(['maxCount']);
    const phones = emails.map((_, index) => ({ phoneNumber: `+1555010${index}` }));
    expect(typesOf(modelWith({ type: 'phone' }), { xData: phones })).toEqual(['maxCount']);
  });

  it('allow lists of 5000 ids', () => {
    const ids = Array.from({ length: 5001 }, (_, index) => `id${index}`);
    const model = modelWith({ type: 'linkMultiple', entityType: 'Team' });
    expect(typesOf(model, { xIds: ids })).toEqual(['maxCount']);
    expect(typesOf(model, { xIds: ids.slice(1) })).toEqual([]);
  });
});

describe('hostile values', () => {
  const hostile: readonly unknown[] = [
    null,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u20ac'.repeat(300),
    "'; DROP TABLE account; --",
    '<script>alert(1)</script>',
    'a\r\nX-Header: b',
    'x'.repeat(100_000),
    `${'a.'.repeat(50_000)}@`,
    `+${'-'.repeat(50_000)}`,
    -1,
    1e308,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    Number.MAX_SAFE_INTEGER + 2,
    true,
    [],
    {},
    [null],
    [[]],
    [{}],
    ['\0'],
    [{ emailAddress: '\0', phoneNumber: '\ud800', primary: {}, type: [] }],
    JSON.parse('{"__proto__":{"polluted":true}}'),
    JSON.parse('[{"__proto__":{"emailAddress":"a@x.org"}}]'),
    JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    Array.from({ length: 100_000 }, () => ({})),
    { toString: 'x', valueOf: 'x', length: 3 },
  ];

  it.each(stockDefinitions.map((definition) => [definition.name, definition] as const))(
    'are rejected with a printable message or returned in storable form (%s)',
    (_, definition) => {
      const model = buildEntityModel(definition);
      for (const { name } of model.attributes) {
        for (const value of hostile) {
          const { values, problems } = readInput(model, { [name]: value }, 'create');
          const stored = JSON.stringify(values);
          expect(stored).not.toMatch(/\\u0000|\\ud[89a-f]|__proto__/);
          expect(JSON.parse(stored)).toEqual(values);
          for (const problem of problems) {
            expect(model.fields.has(problem.field)).toBe(true);
            expect(problem.message).toMatch(/^[\x20-\x7e\xa0-\xff]{10,2000}\.$/);
          }
        }
      }
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );
});

it('replaces non-Latin-1 characters of options in messages', () => {
  const model = modelWith({ type: 'enum', options: ['caf\u00e9', '\u65e5\u672c', 'a\nb'] });
  expect(readInput(model, { x: 'tea' }, 'create').problems).toMatchObject([
    { field: 'x', type: 'valid', message: 'x must be one of: caf\u00e9, ??, a?b.' },
  ]);
});

function typesOf(model: EntityModel, body: Readonly<Record<string, unknown>>): readonly string[] {
  return readInput(model, body, 'create').problems.map(({ type }) => type);
}

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
