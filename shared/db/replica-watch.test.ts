import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { type ReplicaWatch, watchReplica } from './replica-watch.ts';

const at = (offset: bigint) => [{ topic: 'records', partition: 0, offset }];

let watch: ReplicaWatch;
afterEach(() => watch.close());

function start() {
  const state: {
    primary: ReturnType<typeof at> | undefined;
    replica: () => Promise<ReturnType<typeof at>>;
    queries: number;
  } = { primary: at(5n), replica: async () => at(5n), queries: 0 };
  const lines: string[] = [];
  watch = watchReplica({
    check: async () => undefined,
    load: () => {
      state.queries += 1;
      return state.replica();
    },
    known: async () => state.primary ?? Promise.reject(new Error('the primary is down')),
    log: pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
  });
  return { state, lines, untilUsed: () => eventually(() => expect(lines).toHaveLength(1)) };
}

it('queries the replica only for unseen positions', async () => {
  const { state, untilUsed } = start();
  await untilUsed();
  expect(await watch.isCurrent()).toBe(true);
  expect(state.queries).toBe(1);
  state.primary = at(6n);
  state.replica = async () => at(6n);
  expect(await Promise.all([watch.isCurrent(), watch.isCurrent()])).toEqual([true, true]);
  expect(state.queries).toBe(2);
});

it('waits briefly for a replica that is behind', async () => {
  const { state, lines, untilUsed } = start();
  await untilUsed();
  state.primary = at(6n);
  const answer = watch.isCurrent();
  await sleep(20);
  state.replica = async () => at(6n);
  expect(await answer).toBe(true);
  expect(lines).toEqual(['reads go to the replica']);
});

it.each([
  ['stays behind', async () => at(5n)],
  ['fails', () => Promise.reject(new Error('connection terminated'))],
  ['does not respond', () => new Promise<never>(() => undefined)],
])('stops using a replica that %s and logs this once', async (_, replica) => {
  const { state, lines, untilUsed } = start();
  await untilUsed();
  state.primary = at(6n);
  state.replica = replica;
  expect(await Promise.all([watch.isCurrent(), watch.isCurrent()])).toEqual([false, false]);
  expect(lines).toEqual(['reads go to the replica', 'reads go to the primary']);
});

it('does not use the replica while the primary does not return its positions', async () => {
  const { state, untilUsed } = start();
  await untilUsed();
  state.primary = undefined;
  expect(await watch.isCurrent()).toBe(false);
});
