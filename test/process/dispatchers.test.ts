import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import { eventually } from '../support/eventually.ts';
import {
  createDispatchersHarness,
  type DispatchersHarness,
  type StartedDispatcher,
  untilShared,
} from '../support/harness/dispatchers-harness.ts';
import {
  type ScriptedReceiver,
  startScriptedReceiver,
} from '../support/receivers/scripted-receiver.ts';

const WEBHOOKS = 8;
const deliveries = ['deliver/0', 'deliver/1', 'deliver/2', 'deliver/3'];
const allLeaderTasks = ['queue', ...deliveries];
const patience = { timeoutMs: 30_000 };

let harness: DispatchersHarness;
let receiver: ScriptedReceiver;

beforeEach(async () => {
  // Slow enough for a backlog, so that a kill has something to lose.
  receiver = await startScriptedReceiver((_, response) => {
    setTimeout(() => response.writeHead(200).end(), 20);
  });
  const urls = Array.from({ length: WEBHOOKS }, () => receiver.url);
  harness = await createDispatchersHarness(inject('kafka'), { partitions: 4, urls });
});

afterEach(async () => {
  await harness.close();
  await receiver.close();
});

async function startTwo(env: NodeJS.ProcessEnv = {}, leaderTasks = allLeaderTasks) {
  const one = await harness.start(env);
  const other = await harness.start(env);
  await untilShared([one, other], leaderTasks);
  await eventually(() =>
    expect(one.leaderTasks().size * other.leaderTasks().size).toBeGreaterThan(0),
  );
  const [first, second] = one.leaderTasks().has('queue') ? [one, other] : [other, one];
  return { withQueue: first, without: second };
}

/** Waits until this many more requests have arrived. */
async function untilReceived(more: number): Promise<void> {
  const goal = receiver.received.length + more;
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(goal), patience);
}

/**
 * Verifies that every event was enqueued once per webhook, and every batch received in order and recorded
 * once.
 */
async function proveAll(): Promise<void> {
  const events = (await harness.events()).map(({ eventId }) => eventId);
  await eventually(async () => {
    const batches = await harness.batches();
    const enqueued = batches.flatMap((batch) => batch.events);
    expect(enqueued).toHaveLength(events.length * WEBHOOKS);
    expect(await harness.attempts()).toHaveLength(batches.length);
  }, patience);
  const [batches, attempts] = [await harness.batches(), await harness.attempts()];
  const ids = batches.map(({ batchId }) => batchId);
  expect(attempts.map(({ batchId }) => batchId).toSorted()).toEqual(ids.toSorted());
  expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(['delivered']));
  for (const webhookId of harness.webhookIds) {
    const its = batches.filter((batch) => batch.webhookId === webhookId);
    const enqueued = its.flatMap((batch) => batch.events.map(({ eventId }) => eventId));
    expect(enqueued.toSorted()).toEqual(events.toSorted());
    const received = receiver.received.filter(
      ({ headers }) => headers['x-webhook-id'] === webhookId,
    );
    const firstTimes = new Set(received.map(({ headers }) => headers['webhook-id']));
    expect([...firstTimes]).toEqual(its.map(({ batchId }) => batchId));
  }
}

async function endOf(dispatcher: StartedDispatcher, signal: NodeJS.Signals): Promise<void> {
  dispatcher.signal(signal);
  await dispatcher.exited;
}

describe('two dispatchers', () => {
  it('share the deliveries while only one of them enqueues', async () => {
    const { withQueue, without } = await startTwo();
    const moves = () => withQueue.moves() + without.moves();
    const before = moves();
    await harness.createAccounts(200);
    await proveAll();

    expect(withQueue.leaderTasks().size + without.leaderTasks().size).toBe(allLeaderTasks.length);
    const sentTwice = receiver.received.length - (await harness.batches()).length;
    // On a busy machine a session can expire; its partition then moves with requests in flight, which are
    // sent again.
    expect(sentTwice === 0 || moves() > before).toBe(true);
  });

  it.each(['dispatcher with the queue', 'dispatcher without the queue'] as const)(
    'lose and duplicate nothing when the %s is killed',
    async (which) => {
      const { withQueue, without } = await startTwo();
      const [killed, left] =
        which === 'dispatcher with the queue' ? [withQueue, without] : [without, withQueue];
      await harness.createAccounts(400);
      await untilReceived(50);
      const begin = Date.now();
      await endOf(killed, 'SIGKILL');
      await harness.createAccounts(100);
      await untilShared([left], allLeaderTasks);
      // Its group session takes 6 s to expire.
      expect(Date.now() - begin).toBeLessThan(8_000);
      await harness.createAccounts(100);

      await proveAll();
    },
  );

  it.each(['dispatcher with the queue', 'dispatcher without the queue'] as const)(
    'lose and duplicate nothing when the %s is paused, replaced and resumed',
    async (which) => {
      const { withQueue, without } = await startTwo();
      const [paused, left] =
        which === 'dispatcher with the queue' ? [withQueue, without] : [without, withQueue];
      await harness.createAccounts(400);
      await untilReceived(50);
      paused.signal('SIGSTOP');
      await harness.createAccounts(100);
      await untilShared([left], allLeaderTasks);
      await harness.createAccounts(400);
      await untilReceived(50);
      paused.signal('SIGCONT');
      await harness.createAccounts(100);
      await untilShared([paused, left], allLeaderTasks);
      await harness.createAccounts(100);

      await proveAll();
      await untilShared([paused, left], allLeaderTasks);
    },
  );

  it('hand over all work immediately when one stops gracefully', async () => {
    const { withQueue, without } = await startTwo();
    await harness.createAccounts(400);
    await untilReceived(50);
    const begin = Date.now();
    const ended = endOf(withQueue, 'SIGTERM');
    await untilShared([without], allLeaderTasks);

    expect(Date.now() - begin).toBeLessThan(4_000);
    expect(await withQueue.exited).toMatchObject({ code: 0 });
    await ended;
    await harness.createAccounts(100);
    await proveAll();
  });
});

describe('dispatchers with the same address', () => {
  it('reject the second dispatcher with a reason and allow a restart after a kill', async () => {
    const { port } = await choosePorts(['port'], {});
    const env = { INTERNAL_PORT: `${port}`, INTERNAL_ADVERTISED_HOST: '127.0.0.1' };
    const first = await harness.start({ ...env, INTERNAL_HOST: '127.0.0.1' });
    await untilShared([first], allLeaderTasks);
    await harness.createAccounts(100);
    const moves = first.moves();

    const second = await harness.start({ ...env, INTERNAL_HOST: '127.0.0.2' });
    expect(await second.exited).toMatchObject({ code: 1 });
    const address = `http://127.0.0.1:${port}`;
    expect(second.crash()).toContain(`another process already has the address ${address}`);
    expect(second.moves()).toBe(0);
    expect(first.moves()).toBe(moves);

    await endOf(first, 'SIGKILL');
    const again = await harness.start({ ...env, INTERNAL_HOST: '127.0.0.1' });
    await untilShared([again], allLeaderTasks);
    await harness.createAccounts(100);
    await proveAll();
    expect(again.crash()).toBeUndefined();
  });
});

describe('two dispatchers with a limit of requests per run', () => {
  const limited = { WEBHOOK_QUEUE_PORTION_SIZE: '20', WEBHOOK_QUEUE_INTERVAL: '1s' };

  it('leave all work to one of them to keep the limit global', async () => {
    const one = await harness.start(limited);
    const other = await harness.start(limited);
    await untilShared([one, other], allLeaderTasks);
    const [working, idle] = one.leaderTasks().size > 0 ? [one, other] : [other, one];
    expect(idle.leaderTasks().size).toBe(0);
    await harness.createAccounts(20);
    await untilReceived(20);

    await endOf(working, 'SIGTERM');
    await untilShared([idle], allLeaderTasks);
    await proveAll();
    // The next run begins a second after the first, whose requests may start some time after the run.
    const times = receiver.received.map(({ at }) => at).toSorted((one, other) => one - other);
    expect(times.length).toBeGreaterThan(20);
    expect((times[20] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(300);
  });
});
