import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { boardOrderType } from '../../shared/domain/board/board-order.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

interface Group {
  readonly name: string;
  readonly total: number;
  readonly sum?: number | null;
  readonly list: readonly { readonly id: string }[];
}

let example: QueryExample;

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  const { addToDirectory, store, addActorWithRole } = example;
  await example.createTables();
  for (const [id, stage, amount, assignedUserId] of [
    ['o1', 'Prospecting', 10, 'own'],
    ['o2', 'Prospecting', 20, null],
    ['o3', 'Prospecting', 30, null],
    ['o4', 'Proposal', 40, 'own'],
    ['o5', 'Closed Lost', 50, null],
  ] as const) {
    const money = { amount, amountCurrency: 'USD', amountConverted: amount };
    await store('Opportunity', { id, name: `Deal ${id}`, stage, ...money, assignedUserId });
  }
  await store('Opportunity', { id: 'o6', name: 'o6', stage: 'Proposal', deleted: true });
  addToDirectory(boardOrderType, 'sorted', {
    'Opportunity.Prospecting': 'o1 gone o4 o3',
    'Opportunity.Proposal': 'o4',
  });
  const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
  addActorWithRole('sorted', { Opportunity: all });
  addActorWithRole('own', { Opportunity: { ...all, read: 'own' } });
  addActorWithRole('none', { Opportunity: { ...all, read: 'no' } });
  const hidden = { read: 'no', edit: 'no' };
  addActorWithRole('blind', { Opportunity: all }, { Opportunity: { stage: hidden } });
  addActorWithRole('poor', { Opportunity: all }, { Opportunity: { amount: hidden } });
});
afterAll(async () => example.close());

async function readBoard(query = '', actor = 'admin') {
  const { status, body } = await example.get(`/Kanban/Opportunity?orderBy=id&${query}`, {
    'x-actor': actor,
  });
  expect(status).toBe(200);
  const groups: readonly Group[] = body.groups;
  const shown = groups.filter(({ total }) => total !== 0 && total !== -2);
  return {
    body,
    totals: Object.fromEntries(shown.map(({ name, total }) => [name, total])),
    sums: Object.fromEntries(shown.map(({ name, sum }) => [name, sum])),
    ids: Object.fromEntries(
      groups
        .filter(({ list }) => list.length > 0)
        .map(({ name, list }) => [name, list.map(({ id }) => id).join(' ')]),
    ),
  };
}

describe('a board', () => {
  it('contains all groups except the omitted ones, with totals, and all records in one list', async () => {
    const { body, totals, ids } = await readBoard();
    expect(body.total).toBe(4);
    expect(body.groups.map(({ name }: Group) => name)).toEqual([
      'Prospecting',
      'Qualification',
      'Proposal',
      'Negotiation',
      'Closed Won',
    ]);
    expect(body.groups[1]).toEqual({
      name: 'Qualification',
      total: 0,
      list: [],
      label: null,
      style: null,
    });
    expect(totals).toEqual({ Prospecting: 3, Proposal: 1 });
    expect(ids).toEqual({ Prospecting: 'o1 o2 o3', Proposal: 'o4' });
    expect(body.list.map(({ id }: { id: string }) => id)).toEqual(['o1', 'o2', 'o3', 'o4']);
  });

  it('applies the page and the conditions to each group', async () => {
    expect((await readBoard('maxSize=1')).ids).toEqual({ Prospecting: 'o1', Proposal: 'o4' });
    expect((await readBoard('maxSize=1&offset=1')).ids).toEqual({ Prospecting: 'o2' });
    expect((await readBoard('order=desc&maxSize=2')).ids['Prospecting']).toBe('o3 o2');
    const condition = 'where[0][type]=equals&where[0][attribute]=name&where[0][value]=Deal o2';
    const { ids, totals } = await readBoard(condition);
    expect([ids, totals]).toEqual([{ Prospecting: 'o2' }, { Prospecting: 1 }]);
    expect((await readBoard('primaryFilter=won')).body.total).toBe(0);
  });

  it('counts the same records as it lists when it is searched by words', async () => {
    const { ids, totals } = await readBoard('textFilter=o4');
    expect([ids, totals]).toEqual([{ Proposal: 'o4' }, { Proposal: 1 }]);
  });

  it('sums an attribute over all readable records of each group', async () => {
    const { sums, body } = await readBoard('sumOf=amountConverted&maxSize=1');
    expect(sums).toEqual({ Prospecting: 60, Proposal: 40 });
    expect(body.groups[1].sum).toBe(0);
    expect((await readBoard('sumOf=amountConverted', 'own')).sums).toEqual({
      Prospecting: 10,
      Proposal: 40,
    });
  });

  it('starts each group with the cards that the user placed, on every page', async () => {
    const sorted = async (query: string) => (await readBoard(query, 'sorted')).ids;
    expect(await sorted('')).toEqual({ Prospecting: 'o1 o3 o2', Proposal: 'o4' });
    expect(await sorted('order=desc')).toEqual({ Prospecting: 'o1 o3 o2', Proposal: 'o4' });
    expect((await sorted('maxSize=2'))['Prospecting']).toBe('o1 o3');
    expect((await sorted('maxSize=2&offset=1'))['Prospecting']).toBe('o3 o2');
    expect((await sorted('maxSize=2&offset=2'))['Prospecting']).toBe('o2');
    expect(await sorted('maxSize=2&offset=3')).toEqual({});
    const condition = 'where[0][type]=notEquals&where[0][attribute]=name&where[0][value]=Deal o1';
    expect((await sorted(condition))['Prospecting']).toBe('o3 o2');
  });

  it('shows only records that the user may read, and is rejected if the status is hidden', async () => {
    const { body, ids } = await readBoard('', 'own');
    expect([body.total, ids]).toEqual([2, { Prospecting: 'o1', Proposal: 'o4' }]);
    const as = async (actor: string, query = '') =>
      (await example.get(`/Kanban/Opportunity?${query}`, { 'x-actor': actor })).status;
    expect(await as('none')).toBe(403);
    expect(await as('blind')).toBe(403);
    expect(await as('poor')).toBe(200);
    expect(await as('poor', 'sumOf=amount')).toBe(400);
    expect(await as('poor', 'sumOf=amountConverted')).toBe(400);
  });

  it('indicates whether more records follow if totals are omitted', async () => {
    const { status, body } = await example.get('/Kanban/Opportunity?maxSize=1', {
      'x-no-total': 'true',
      'x-actor': 'sorted',
    });
    expect([status, body.total, body.groups.map(({ total }: Group) => total)]).toEqual([
      200,
      -1,
      [-1, -2, -2, -2, -2],
    ]);
  });

  it.each([
    ['/Kanban/Account', 400, 'kanban.no_status'],
    ['/Kanban/User', 400, 'kanban.no_status'],
    ['/Kanban/Nothing', 404, 'entity.unknown'],
    ['/Kanban/Opportunity?sumOf=name', 400, 'parameter.invalid'],
    ['/Kanban/Opportunity?sumOf=nothing', 400, 'parameter.invalid'],
    ['/Kanban/Opportunity?maxSize=201', 403, 'list.too_large'],
    ['/Kanban/Opportunity?primaryFilter=nothing', 400, 'filter.unknown'],
  ])('rejects %s with %d %s', async (path, status, code) => {
    expect(await example.get(path)).toMatchObject({ status, body: { code } });
  });
});
