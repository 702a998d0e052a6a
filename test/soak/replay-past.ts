import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, recordIn } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';

interface Past {
  /** Of an administrator, or of who may have webhooks. */
  readonly api: ApiClient;
  readonly from: string;
  readonly to: string;
  readonly url: string;
  /** Ids of the events that came to the url. */
  received(): readonly string[];
}

const patience = { timeoutMs: 600_000, intervalMs: 250 };

/**
 * Brings a webhook what happened before it existed: cancelled on the way and resumed. Answers how many events it was;
 * throws unless each came once.
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
      if (found.state !== 'done') throw new Error(`replay is ${found.state}`);
      return found.events;
    }, patience);

  const expected = await done(await start(true));
  const path = await start(false);
  await eventually(async () => {
    if ((await look(path)).events < expected / 3) throw new Error('not far enough to cancel it');
  }, patience);
  await api.delete(path);
  await sleep(2_000);
  const stoodAt = await look(path);
  await sleep(2_000);
  if ((await look(path)).events !== stoodAt.events || stoodAt.events >= expected) {
    throw new Error(`cancelled at ${stoodAt.events} of ${expected} events, and went on`);
  }
  await api.post(`${path}/resume`);
  if ((await done(path)) !== expected) throw new Error('the resumed replay counts otherwise');
  await eventually(() => {
    if (received().length < expected) throw new Error(`${received().length} of ${expected} came`);
  }, patience);
  const different = new Set(received()).size;
  if (received().length !== expected || different !== expected) {
    throw new Error(`${received().length} events came, ${different} of them different`);
  }
  return expected;
}
