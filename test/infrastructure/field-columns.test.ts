import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createNumberSource } from '../../services/command/records/numbers/number-source.ts';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { entityDefinitionType } from '../../shared/domain/directory/directory.ts';
import { buildEntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import type { FieldDefinition } from '../../shared/domain/field/field-types.ts';
import type { AttributeValues } from '../../shared/domain/value/attribute-values.ts';
import { commandContext } from '../support/builders/command-context.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

const fields: Readonly<Record<string, FieldDefinition>> = {
  name: { type: 'varchar' },
  number: { type: 'number', prefix: '2026', padLength: 3 },
  rate: { type: 'decimal' },
  parent: { type: 'linkParent', entityList: ['Account', 'Case', 'User'] },
  accounts: {
    type: 'linkMultiple',
    entityType: 'Account',
    columns: {
      role: { type: 'varchar', attribute: 'contactRole' },
      isInactive: { type: 'bool', attribute: 'contactIsInactive' },
    },
  },
};
const role = (data: AttributeValues) => ({
  entityType: 'Role',
  id: 'r',
  version: 1,
  deleted: false,
  values: { data },
});
const reader = { name: 'r', userName: 'r', type: 'api', teamIds: [] } as const;
let example: QueryExample;

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  example.addToDirectory(entityDefinitionType, 'Invoice', {
    fields: JSON.parse(JSON.stringify(fields)),
  });
  example.addToDirectory('User', 'u', { userName: 'ada', name: 'Ada' });
  await example.createTables();
  await example.store('Account', { id: 'acme', name: 'Acme', assignedUserId: 'own' });
  await example.store('Account', { id: 'ajax', name: 'Ajax' });
  await example.store('User', { id: 'u', userName: 'ada', name: 'Ada' });
  const invoices: readonly AttributeValues[] = [
    { name: 'nine', number: '2026009', rate: '9.5', parentType: 'Account', parentId: 'acme' },
    { name: 'ten', number: '2026010', rate: '10', parentType: 'Account', parentId: 'ajax' },
    { name: 'old', number: 'A-00004', rate: '-0.0001', parentType: 'User', parentId: 'u' },
    { name: 'none', number: 'none', parentType: 'Lead', parentId: 'acme' },
  ];
  for (const invoice of invoices) {
    const accountsColumns = { acme: { role: 'Payer', isInactive: true }, ajax: { role: null } };
    const links = { accountsIds: ['acme', 'ajax'], accountsColumns };
    await example.store('Invoice', { id: String(invoice['name']), ...invoice, ...links });
  }
});
afterAll(async () => example.close());

const listed = async (path: string, who = 'admin') =>
  (await example.get(path, { 'x-actor': who })).body as {
    readonly total: number;
    readonly list: readonly AttributeValues[];
  };

describe('a decimal', () => {
  it('is returned as text with four digits but sorted and compared as a number', async () => {
    const { list } = await listed('/Invoice?orderBy=rate&order=desc');
    expect(list.map(({ rate }) => rate)).toEqual(['10.0000', '9.5000', '-0.0001', null]);
    const where = [{ type: 'greaterThan', attribute: 'rate', value: '9.49' }];
    const found = await listed(
      `/Invoice?searchParams=${encodeURIComponent(JSON.stringify({ where }))}`,
    );
    expect(found.total).toBe(2);
  });
});

describe('the name of a parent', () => {
  const names = async (who: string) => {
    const { list } = await listed('/Invoice?orderBy=name&order=asc', who);
    return Object.fromEntries(list.map(({ name, parentName }) => [name, parentName]));
  };

  it("comes from the table of the parent's type if the type is allowed", async () => {
    expect(await names('admin')).toEqual({ nine: 'Acme', none: null, old: 'Ada', ten: 'Ajax' });
    expect((await example.get('/Invoice/nine')).body).toMatchObject({
      parentType: 'Account',
      parentId: 'acme',
      parentName: 'Acme',
    });
  });

  it('is returned only to users who may read the parent', async () => {
    const invoices = { read: 'all' };
    example.addActor(
      buildActor({ ...reader, id: 'own' }, [role({ Invoice: invoices, Account: { read: 'own' } })]),
    );
    example.addActor(
      buildActor({ ...reader, id: 'no' }, [role({ Invoice: invoices, Account: { read: 'no' } })]),
    );
    expect(await names('own')).toMatchObject({ nine: 'Acme', ten: null });
    expect(await names('no')).toMatchObject({ nine: null, ten: null });
    const found = await example.get('/Invoice?orderBy=parentName', { 'x-actor': 'no' });
    expect(found.status).toBe(400);
  });
});

it('lists of linked records include the link columns', async () => {
  const { list } = await listed('/Invoice/nine/accounts?orderBy=name&order=asc');
  expect(list).toMatchObject([
    { name: 'Acme', contactRole: 'Payer', contactIsInactive: true },
    { name: 'Ajax', contactRole: null, contactIsInactive: false },
  ]);
  expect((await example.get('/Invoice/nine')).body).toMatchObject({
    accountsColumns: { acme: { role: 'Payer', isInactive: true }, ajax: { role: null } },
  });
});

it('number fields continue after the highest number in the table for any prefix', async () => {
  const model = buildEntityModel({
    name: 'Invoice',
    fields,
    orderBy: 'createdAt',
    order: 'desc',
    log: 'records',
    isObject: true,
  });
  const numbers = createNumberSource(commandContext({ pool: example.pool, partitions: 2 }));
  const at = (partition: number) => ({
    partition,
    token: () => 't',
    caughtUp: async () => undefined,
  });
  // Odd numbers belong to the first partition (9), even ones to the second (4 and 10).
  expect(await numbers.reserve(model, 'number', [at(0), at(1)])).toMatchObject({
    partition: 0,
    number: 11,
  });
  expect(await numbers.reserve(model, 'number', [at(0), at(1)])).toMatchObject({
    partition: 1,
    number: 12,
  });
});
