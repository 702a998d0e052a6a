import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFaultStand, type FaultStand } from '../support/fault-stand.ts';

let stand: FaultStand;

beforeAll(async () => {
  stand = await createFaultStand({
    ANNALS_API_INSTANCES: '2',
    ANNALS_PROJECTOR_INSTANCES: '2',
    ANNALS_DISPATCHER_INSTANCES: '2',
  });
});

afterAll(async () => {
  await stand?.close();
});

describe('two of every service, under a load of writes', () => {
  it.each(['api', 'api2', 'projector', 'projector2', 'dispatcher', 'dispatcher2'])(
    'lose and double nothing when the %s is killed in its midst',
    async (part) => {
      const load = stand.startLoad();
      await stand.progress(load, 100);
      await stand.killAndWait(part);
      await stand.product.waitUntilReady(part);
      await stand.progress(load, 100);
      await load.stop();

      await stand.proveAll(load);
    },
  );

  it.each(['api', 'projector', 'dispatcher'])(
    'lose and double nothing when the %s is paused, replaced, and wakes up',
    async (part) => {
      const load = stand.startLoad();
      await stand.progress(load, 100);
      stand.product.kill(part, 'SIGSTOP');
      // The others find out: an api within a second, the rest when its session in the group ends.
      await stand.progress(load, 200);
      stand.product.kill(part, 'SIGCONT');
      await stand.progress(load, 100);
      await load.stop();

      await stand.proveAll(load);
    },
  );

  it('refuse no write when an api stops in order', async () => {
    const load = stand.startLoad();
    await stand.progress(load, 100);
    const unknown = () => load.writes.filter(({ outcome }) => outcome === 'unknown').length;
    const before = unknown();
    await stand.killAndWait('api2', 'SIGTERM');
    await stand.progress(load, 100);
    await load.stop();

    expect(unknown()).toBe(before);
    await stand.proveAll(load);
  });
});
