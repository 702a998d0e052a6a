import { beforeEach, describe, expect, it } from 'vitest';
import { buildEntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import type { AutoincrementField } from '../../../../shared/domain/field/types/number/autoincrement.ts';
import { commandContext } from '../../../../test/support/builders/command-context.ts';
import { createNumberSource } from './number-source.ts';

const partitions = 4;

/** The last number in Postgres, by partition. */
let last: Map<number, number>;
let numbers: ReturnType<typeof createNumberSource>;

const pool = {
  query: async (_text: string, [, partition]: readonly [number, number]) => ({
    rows: [{ last: last.get(partition) ?? null }],
  }),
};

beforeEach(() => {
  last = new Map();
  numbers = createNumberSource(commandContext({ pool, partitions }));
});

async function reserve(
  count: number,
  {
    field = {},
    owned = [0, 1, 2, 3],
  }: { field?: Partial<AutoincrementField>; owned?: number[] } = {},
) {
  const model = buildEntityModel({
    name: 'Ticket',
    log: 'records',
    isObject: true,
    orderBy: 'createdAt',
    order: 'desc',
    fields: { number: { type: 'autoincrement', ...field } },
  });
  const at = owned.map((partition) => ({
    partition,
    token: () => 'token',
    caughtUp: async () => undefined,
  }));
  const reserved: number[] = [];
  while (reserved.length < count) {
    const { number, partition } = await numbers.reserve(model, 'number', at);
    expect((number - 1) % partitions).toBe(partition);
    reserved.push(number);
  }
  return reserved;
}

describe('numbers of new records', () => {
  it('increase by one if one instance owns all partitions', async () => {
    expect(await reserve(6)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('continue after the existing numbers in ascending order', async () => {
    last = new Map([
      [0, 5],
      [1, 2],
    ]);
    expect(await reserve(5)).toEqual([3, 4, 6, 7, 8]);
  });

  it('start with the nextNumber of the field', async () => {
    expect(await reserve(5, { field: { nextNumber: 1_000 } })).toEqual([
      1_000, 1_001, 1_002, 1_003, 1_004,
    ]);
  });

  it('continue from a changed nextNumber and are never reused', async () => {
    expect(await reserve(2)).toEqual([1, 2]);
    expect(await reserve(2, { field: { nextNumber: 100 } })).toEqual([100, 101]);
    expect(await reserve(4, { field: { nextNumber: 50 } })).toEqual([50, 51, 54, 55]);
    expect(await reserve(2, { field: { nextNumber: 100 } })).toEqual([102, 103]);
  });

  it('are assigned only in the owned partitions', async () => {
    expect(await reserve(3, { field: { nextNumber: 10 }, owned: [0, 3] })).toEqual([12, 13, 16]);
  });
});
