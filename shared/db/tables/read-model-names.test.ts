import { describe, expect, it } from 'vitest';
import { createRandomSource } from '../../../test/support/builders/random-source.ts';
import {
  columnName,
  foldedColumnName,
  ownName,
  ownTableNames,
  tableName,
} from './read-model-names.ts';

const random = createRandomSource(41);
const parts = ['a', 'A', 'b', 'B', '1', 'Id', 'id', 'Folded', 'Created', 'Pkey', 'Xmin', 'Ctid'];
const ownNames = [
  'Positions',
  'RecordHistory',
  'StreamMentions',
  'EntityCounts',
  'RejectedEntries',
];

function oddName(): string {
  const length = 1 + random.int(random.chance(0.3) ? 64 : 5);
  return `X${Array.from({ length }, () => random.pick(parts)).join('')}`.slice(0, 64);
}

const names = [
  ...new Set([
    ...ownNames,
    ...['Ctid', 'Xmin', 'Tableoid', 'Cmax', 'Cmin', 'Xmax'],
    ...['X'.repeat(60), 'X'.repeat(61), 'X'.repeat(64), `X${'x'.repeat(63)}`, `X${'x'.repeat(62)}`],
    ...Array.from({ length: 20_000 }, oddName),
  ]),
];
const suffixes = ['pkey', 'created', 'created_by', 'parent', 'x_id', 'x_folded', 'x_others'];

describe('the names of the read model', () => {
  it('are unique among all tables, indexes and keys and at most 63 bytes long', () => {
    const tables = names.map(tableName);
    const indexes = tables.flatMap((table) => suffixes.map((suffix) => ownName(table, suffix)));
    const all = [...ownTableNames, ...tables, ...indexes];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name.length > 63)).toEqual([]);
  });

  it('are unique within a table and differ from system columns', () => {
    const attributes = names.map((name) => name.charAt(0).toLowerCase() + name.slice(1));
    const system = ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'];
    const columns = [...attributes.map(columnName), ...attributes.map(foldedColumnName)];
    const all = [...system, 'id', 'version', 'deleted', ...columns];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name.length > 63)).toEqual([]);
  });

  it('are the definition names in snake case if they fit', () => {
    expect(tableName('KnowledgeBaseArticle')).toBe('knowledge_base_article');
    expect(columnName('billingAddressStreet')).toBe('billing_address_street');
    expect(ownName(tableName('Lead'), 'created')).toBe('lead$created');
    expect([tableName('Positions'), columnName('ctid')]).toEqual(['positions$', 'ctid$']);
    expect(tableName('X'.repeat(60))).toMatch(/^x(_x){14}_~[0-9a-f]{32}$/);
  });
});
