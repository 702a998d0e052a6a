import Cluster from 'kafkajs/src/cluster/index.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const lookUp = vi.fn<(request: { readonly groupId: string }) => Promise<unknown>>();
// The module stores the original method when it is loaded.
Cluster.prototype.findGroupCoordinatorMetadata = lookUp;
const { rememberCoordinators } = await import('./remember-coordinators.ts');
rememberCoordinators();

/** No broker is needed, because only this method is called. */
const newCluster = (): Cluster => Object.create(Cluster.prototype);
const ofGroup = (groupId: string) => ({ groupId, coordinatorType: 0 });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  lookUp.mockReset().mockImplementation(async ({ groupId }) => `broker of ${groupId}`);
});

afterEach(() => {
  vi.useRealTimers();
});

test('the coordinator of a group is looked up once per second', async () => {
  const cluster = newCluster();
  for (let times = 0; times < 3; times++) {
    expect(await cluster.findGroupCoordinatorMetadata(ofGroup('a'))).toBe('broker of a');
  }
  expect(lookUp).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_001);
  await cluster.findGroupCoordinatorMetadata(ofGroup('a'));
  expect(lookUp).toHaveBeenCalledTimes(2);
});

test('groups, kinds of coordinators and clusters are cached separately', async () => {
  const cluster = newCluster();
  await cluster.findGroupCoordinatorMetadata(ofGroup('a'));
  expect(await cluster.findGroupCoordinatorMetadata(ofGroup('b'))).toBe('broker of b');
  await cluster.findGroupCoordinatorMetadata({ groupId: 'a', coordinatorType: 1 });
  await newCluster().findGroupCoordinatorMetadata(ofGroup('a'));
  expect(lookUp).toHaveBeenCalledTimes(4);
});

test('a failure is not cached', async () => {
  const cluster = newCluster();
  lookUp.mockRejectedValueOnce(new Error('none yet'));
  await expect(cluster.findGroupCoordinatorMetadata(ofGroup('a'))).rejects.toThrow('none yet');
  expect(await cluster.findGroupCoordinatorMetadata(ofGroup('a'))).toBe('broker of a');
});
