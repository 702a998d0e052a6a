import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  currencyRatesId,
  currencyRatesType,
  ratesIn,
  worthOf,
} from '../../shared/domain/input/currency-rates.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

const rates = { JPY: 0.007, BIG: 1_000_000_000, LOW: 5e-324 };
const amounts = [5e-324, -5e-324, 1e308, -1e308, 1.7976931348623157e308, 9_999_999_999_999, 0.005];
const codes = ['USD', ...Object.keys(rates)];
const probabilities = [0, 100, 2_147_483_647, -2_147_483_648, null];

let example: QueryExample;
beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  await example.store(currencyRatesType, { id: currencyRatesId, rates });
  let count = 0;
  for (const amount of amounts) {
    for (const amountCurrency of codes) {
      for (const probability of probabilities) {
        count += 1;
        const id = `o${count}`;
        await example.store('Opportunity', { id, amount, amountCurrency, probability });
      }
    }
  }
});
afterAll(async () => example.close());

const get = async (path: string) => {
  const { status, body } = await example.get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body;
};

it('amounts and rates of every accepted size are converted without errors', async () => {
  const known = ratesIn({
    record: (entityType, id) => ({
      entityType,
      id,
      version: 1,
      deleted: false,
      values: { rates },
    }),
  });
  const { list } = await get('/Opportunity?maxSize=200&orderBy=amountConverted');
  expect(list).toHaveLength(amounts.length * codes.length * probabilities.length);
  for (const { id, amount, amountCurrency, amountConverted } of list) {
    const expected = Math.abs(amount) > 1e140 ? amount : worthOf(amount, amountCurrency, known);
    const difference = Math.abs(amountConverted - expected);
    expect({ id, isClose: difference <= Math.max(0.01, Math.abs(expected) * 1e-12) }).toEqual({
      id,
      isClose: true,
    });
  }
  const least = { amount: 5e-324, amountCurrency: 'JPY', amountConverted: 0 };
  expect(await get('/Opportunity/o6')).toMatchObject(least);
});

it.each([
  ['amountConverted', '5e-324'],
  ['amountConverted', '1e308'],
  ['amountWeightedConverted', '-1e308'],
  ['probability', '1e308'],
])('a list can be sorted and filtered by %s with the value %s', async (attribute, value) => {
  for (const type of ['equals', 'greaterThan', 'lessThan', 'notEquals']) {
    const item = { type, attribute, value };
    const where = encodeURIComponent(JSON.stringify([item]));
    await get(`/Opportunity?where=${where}&orderBy=${attribute}&order=desc`);
  }
  const like = JSON.stringify([{ type: 'like', attribute, value: '%1%' }]);
  await get(`/Opportunity?where=${encodeURIComponent(like)}`);
});

it('searches accept every time zone of Intl, even if Postgres does not support it', async () => {
  const zones = Intl.supportedValuesOf('timeZone');
  for (const timeZone of [...zones, '+23:59', '-23:59', 'EST5EDT']) {
    const item = { type: 'today', attribute: 'createdAt', timeZone };
    const where = encodeURIComponent(JSON.stringify([item]));
    const { status } = await example.get(`/Opportunity?where=${where}`);
    expect({ timeZone, status }).toEqual({ timeZone, status: 200 });
  }
});

it('streams accept the first and the last second of the supported range', async () => {
  for (const after of ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z']) {
    const path = `/Stream?after=${encodeURIComponent(after)}`;
    await get(path);
  }
});
