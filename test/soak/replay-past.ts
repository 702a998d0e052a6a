import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, recordIn } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';

interface Past {
  /** A client of an administrator, or of a user who may have webhooks. */
  readonly api: ApiClient;
  readonly from: string;
  readonly to: string;
  readonly url: string;
  /** Returns the ids of the events received at the URL. */
  received(): readonly string[];
}

const patience = { timeoutMs: 600_000, intervalMs: 250 };

/**
 * Replays past events for a new webhook, with a cancellation and a resumption on the way. Returns the number
 * of events; throws unless each was received once.
 */
export async function replayPast({ api, from, to, url, received }: Past): Promise<number> {
  const webhook = { event: 'Account.update', url, payloadFormat: 'events' };
  const root = `/Webhook/${(await registerWebhook(api, webhook)).id}`;
  const start = async (dryRun: boolean) =>
    `${root}/replays/${recordIn(await api.post(`${root}/replay`, { from, to, dryRun })).id}`;
  const look = async (path: string) => {
    const { state, events } = recordIn(await api.get(path));
    return { state, events: Number(events) };
  };
  const done = (path: string) =>
    eventually(async () => {
      const found = await look(path);
      if (found.state !== 'done') throw new Error(`the replay is ${found.state}`);
      return found.events;
    }, patience);

  const expected = await done(await start(true));
  const path = await start(false);
  await eventually(async () => {
    if ((await look(path)).events < expected / 3)
      throw new Error('the replay is not far enough to cancel it');
  }, patience);
  await api.delete(path);
  await sleep(2_000);
  const stoodAt = await look(path);
  await sleep(2_000);
  if ((await look(path)).events !== stoodAt.events || stoodAt.events >= expected) {
    throw new Error(`cancelled after ${stoodAt.events} of ${expected} events, then resumed`);
  }
  await api.post(`${path}/resume`);
  if ((await done(path)) !== expected) throw new Error('the resumed replay has a different count');
  await eventually(() => {
    if (received().length < expected) throw new Error(`${received().length} of ${expected} came`);
  }, patience);
  const different = new Set(received()).size;
  if (received().length !== expected || different !== expected) {
    throw new Error(`received ${received().length} events, ${different} of them different`);
  }
  return expected;
}
