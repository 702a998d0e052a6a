import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFaultStand, type FaultStand } from '../support/fault-stand.ts';

let stand: FaultStand;

beforeAll(async () => {
  stand = await createFaultStand();
});

afterAll(async () => {
  await stand?.close();
});

describe('a load of writes', () => {
  it.each(['api', 'projector'] as const)(
    'loses and doubles nothing when the %s is killed twice in its midst',
    async (service) => {
      const load = await stand.startLoad();
      for (const _ of ['first', 'second']) {
        await stand.progress(load, 150);
        await stand.killAndWait(service);
        await stand.product.waitUntilReady(service);
      }
      await stand.progress(load, 150);
      await load.stop();

      await stand.proveAll(load);
    },
  );

  it('loses nothing when the dispatcher is killed, at any time and between request and answer', async () => {
    stand.subscriber.answerAfter(200);
    const load = await stand.startLoad();
    // The queue is processed every second: so many writes later it waits, reads, or commits.
    for (const count of [0, 300, 450, 600]) {
      await stand.progress(load, count);
      if (count === 0) await stand.untilUnanswered();
      await stand.killAndWait('dispatcher');
      await stand.product.waitUntilReady('dispatcher');
    }
    await stand.progress(load, 150);
    await load.stop();
    stand.subscriber.answerAfter(0);

    await stand.proveAll(load);
    const ids = stand.subscriber.allRequests().map(({ headers }) => headers['webhook-id']);
    expect(ids.length, 'no request was repeated').toBeGreaterThan(new Set(ids).size);
  });

  it.each(['kafka', 'postgres'] as const)(
    'loses and doubles nothing when %s is killed in its midst',
    async (part) => {
      const load = await stand.startLoad();
      await stand.progress(load, 150);
      await stand.killAndWait(part);
      await stand.progress(load, 150);
      await load.stop();

      await stand.proveAll(load);
    },
  );
});
