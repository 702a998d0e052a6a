import { expect, it } from 'vitest';
import { orderEpochs } from './order-epochs.ts';

const epoch = (token: string, begunAt: number) => ({ token, begunAt, events: 1 });
const tokens = (...input: Parameters<typeof orderEpochs>) =>
  orderEpochs(...input)?.map(({ token }) => token);

it('orders writers by time unless a record determines their order', () => {
  expect(tokens([epoch('b', 2), epoch('a', 1)], [], null)).toEqual(['a', 'b']);
});

it('prefers record versions over clocks', () => {
  const epochs = [epoch('a', 9), epoch('b', 1), epoch('c', 10)];
  expect(tokens(epochs, [{ before: 'a', after: 'b' }], 'c')).toEqual(['a', 'b', 'c']);
});

it('puts the last writer of the partition last, regardless of its clock', () => {
  expect(tokens([epoch('a', 5), epoch('z', 1)], [], 'z')).toEqual(['a', 'z']);
});

it('returns undefined if the order of writers is contradictory', () => {
  const both = [
    { before: 'a', after: 'b' },
    { before: 'b', after: 'a' },
  ];
  expect(tokens([epoch('a', 1), epoch('b', 2)], both, null)).toBeUndefined();
  expect(
    tokens([epoch('a', 1), epoch('z', 2)], [{ before: 'z', after: 'a' }], 'z'),
  ).toBeUndefined();
});
