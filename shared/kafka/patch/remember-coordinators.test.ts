import Cluster from 'kafkajs/src/cluster/index.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const asked = vi.fn<(question: { readonly groupId: string }) => Promise<unknown>>();
// Taken over when the module is loaded.
Cluster.prototype.findGroupCoordinatorMetadata = asked;
const { rememberCoordinators } = await import('./remember-coordinators.ts');
rememberCoordinators();

/** Without a broker: nothing but this one method is called. */
const newCluster = (): Cluster => Object.create(Cluster.prototype);
const ofGroup = (groupId: string) => ({ groupId, coordinatorType: 0 });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  asked.mockReset().mockImplementation(async ({ groupId }) => `broker of ${groupId}`);
});

afterEach(() => {
  vi.useRealTimers();
});

test('the coordinator of a group is asked for once in a second', async () => {
  const cluster = newCluster();
  for (let times = 0; times < 3; times++) {
    expect(await cluster.findGroupCoordinatorMetadata(ofGroup('a'))).toBe('broker of a');
  }
  expect(asked).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_001);
  await cluster.findGroupCoordinatorMetadata(ofGroup('a'));
  expect(asked).toHaveBeenCalledTimes(2);
});

test('groups, kinds of coordinators and clusters have their own', async () => {
  const cluster = newCluster();
  await cluster.findGroupCoordinatorMetadata(ofGroup('a'));
  expect(await cluster.findGroupCoordinatorMetadata(ofGroup('b'))).toBe('broker of b');
  await cluster.findGroupCoordinatorMetadata({ groupId: 'a', coordinatorType: 1 });
  await newCluster().findGroupCoordinatorMetadata(ofGroup('a'));
  expect(asked).toHaveBeenCalledTimes(4);
});

test('a failure is not remembered', async () => {
  const cluster = newCluster();
  asked.mockRejectedValueOnce(new Error('none yet'));
  await expect(cluster.findGroupCoordinatorMetadata(ofGroup('a'))).rejects.toThrow('none yet');
  expect(await cluster.findGroupCoordinatorMetadata(ofGroup('a'))).toBe('broker of a');
});
