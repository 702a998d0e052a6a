import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFaultHarness, type FaultHarness } from '../support/harness/fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await createFaultHarness();
});

afterAll(async () => {
  await harness?.close();
});

describe('Annals under a load of writes', () => {
  it.each(['api', 'projector'] as const)(
    'loses and duplicates nothing when the %s is killed twice',
    async (service) => {
      const load = await harness.startLoad();
      for (const _ of ['first', 'second']) {
        await harness.progress(load, 150);
        await harness.killAndWait(service);
        await harness.product.waitUntilReady(service);
      }
      await harness.progress(load, 150);
      await load.stop();

      await harness.proveAll(load);
    },
  );

  it('loses nothing when the dispatcher is killed, even between request and response', async () => {
    harness.subscriber.answerAfter(200);
    const load = await harness.startLoad();
    // The queue is processed every second: after this many writes it is waiting, reading, or committing.
    for (const count of [0, 300, 450, 600]) {
      await harness.progress(load, count);
      if (count === 0) await harness.untilUnanswered();
      await harness.killAndWait('dispatcher');
      await harness.product.waitUntilReady('dispatcher');
    }
    await harness.progress(load, 150);
    await load.stop();
    harness.subscriber.answerAfter(0);

    await harness.proveAll(load);
    const ids = harness.subscriber.allRequests().map(({ headers }) => headers['webhook-id']);
    expect(ids.length, 'at least one request must be repeated').toBeGreaterThan(new Set(ids).size);
  });

  it.each(['kafka', 'postgres'] as const)(
    'loses and duplicates nothing when %s is killed',
    async (part) => {
      const load = await harness.startLoad();
      await harness.progress(load, 150);
      await harness.killAndWait(part);
      await harness.progress(load, 150);
      await load.stop();

      await harness.proveAll(load);
    },
  );
});
