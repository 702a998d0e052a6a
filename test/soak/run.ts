// npm run soak: changes at a steady rate, many webhooks, a tenth of whose endpoints are faulty, and a
// dispatcher that is killed every minute. Ends with a check of the ledgers, a replay of past events, and the
// dispatcher's memory usage. Settings: SOAK_MINUTES, SOAK_CHANGES (per second).
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { startProduct } from '../support/harness/product.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { scrape } from '../support/scrape.ts';
import { startFaultyEndpoints } from './faulty-endpoints.ts';
import { replayPast } from './replay-past.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 20);
const changesPerSecond = Number(process.env['SOAK_CHANGES'] ?? 500);
const webhooks = 200;
const accounts = 2_000;
const topicPrefix = 'soak';
const REST_MS = 30_000;
/** At the end at least this many changes are replayed, if there were as many. */
const REPLAYED = 100_000;

interface Sample {
  readonly resident: number;
  readonly objects: number;
}

const fields = Array.from({ length: 20 }, (_, index) => `soak${index}`);

const endpoints = await startFaultyEndpoints();
const product = await startProduct({
  infrastructure: 'own',
  env: {
    API_CUSTOM_PREFIX: 'taken',
    ANNALS_TOPIC_PREFIX: topicPrefix,
    LOG_LEVEL: 'error',
    WEBHOOK_QUEUE_INTERVAL: '5s',
    WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
    WEBHOOK_QUEUE_PORTION_SIZE: '0',
    WEBHOOK_FAIL_ATTEMPT_PERIOD: '10s',
    WEBHOOK_TIMEOUT: '5s',
    WEBHOOK_MAX_COUNT_PER_USER: `${webhooks + 1}`,
    WEBHOOK_REPLAY_EVENTS_PER_SECOND: '5000',
    WEBHOOK_ALLOWED_ADDRESSES: endpoints.address,
  },
});
try {
  await run();
} finally {
  await product.remove();
  await endpoints.close();
}

async function run(): Promise<void> {
  const { apiKey } = product.access();
  const api = createApiClient(product.url, withApiKey(apiKey));
  const admin = api.as(withPassword(product.access().admin));
  for (const name of fields) {
    await admin.post('/Admin/fieldManager/Account', { name, type: 'varchar' });
  }
  const faulty = new Set<string>();
  // Ten webhooks match each change.
  for (let index = 0; index < webhooks; index++) {
    const event = `Account.fieldUpdate.${fields[index % fields.length]}`;
    const { id } = await registerWebhook(api, { event, url: endpoints.url(index) });
    if (endpoints.isFaulty(index)) faulty.add(id);
  }
  const ids: string[] = [];
  for (let index = 0; index < accounts; index++) {
    const body = { name: `Soak ${index}` };
    ids.push(
      String(recordIn(await api.post('/Account', body, { 'X-Skip-Duplicate-Check': 'true' })).id),
    );
  }
  say(
    `${webhooks} webhooks, ${accounts} accounts; ${changesPerSecond} changes/s for ${minutes} min`,
  );
  const memory: Sample[] = [];
  const from = new Date().toISOString();
  const changes = await load(ids, memory);
  say(`changes acknowledged: ${changes.done}, failed and given up: ${changes.failed}`);
  // By then the healthy endpoints have received everything; events of faulty ones wait or are dead letters.
  await sleep(REST_MS);
  const { kafka } = product.access();
  const { webhooks: balances } = await proveWebhookLedgers({ kafka, topicPrefix });
  for (const isFaulty of [false, true]) {
    const some = balances.filter(({ webhookId }) => faulty.has(webhookId) === isFaulty);
    const sum = (of: 'enqueued' | 'delivered' | 'dead' | 'waiting') =>
      some.reduce((total, balance) => total + balance[of], 0);
    say(
      `${isFaulty ? 'faulty' : 'healthy'}: ${sum('enqueued')} events enqueued = ${sum('delivered')} delivered + ${sum('dead')} dead + ${sum('waiting')} waiting`,
    );
  }
  say(`${endpoints.received()} requests received; every ledger balances`);
  const { url, ids: received } = endpoints.recording;
  const replayed = await replayPast({ api, from, to: changes.replayedTo, url, received });
  say(
    `${replayed} past events replayed with a cancellation and a resumption: each was received once`,
  );
  const afterwards = await proveWebhookLedgers({ kafka, topicPrefix });
  const doubled = afterwards.webhooks.reduce((sum, account) => sum + account.doubled, 0);
  say(`every ledger balances, ${doubled} events were enqueued twice`);
  const series = (kind: keyof Sample) => memory.map((sample) => sample[kind]).join(' ');
  say(`dispatcher, MB, every 10 s: ${series('resident')}`);
  say(`of these, JavaScript objects: ${series('objects')}`);
  api.close();
}

/** Makes changes at a steady rate regardless of kills; a failed one is repeated until it is acknowledged. */
async function load(ids: readonly string[], memory: Sample[]) {
  const until = Date.now() + minutes * 60_000;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const timers = [
    setInterval(() => product.kill('dispatcher'), 60_000),
    setInterval(() => void sampleMemory(memory), 10_000),
  ];
  const counts = { done: 0, failed: 0 };
  let replayedTo: string | undefined;
  let under = 0;
  for (let turn = 0; Date.now() < until; turn++) {
    const tick = Date.now();
    for (let index = 0; index < changesPerSecond / 20 && under < 500; index++) {
      under += 1;
      const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
      void change(agent, id, turn)
        .then((isDone) => {
          counts[isDone ? 'done' : 'failed'] += 1;
          if (counts.done === REPLAYED) replayedTo = new Date().toISOString();
        })
        .finally(() => (under -= 1));
    }
    await sleep(Math.max(0, tick + 50 - Date.now()));
  }
  timers.forEach(clearInterval);
  while (under > 0) await sleep(50);
  agent.destroy();
  return { ...counts, replayedTo: replayedTo ?? new Date().toISOString() };
}

async function change(agent: Agent, id: string, turn: number): Promise<boolean> {
  const field = fields[Math.floor(Math.random() * fields.length)] ?? '';
  const body = { [field]: `${turn} ${Math.random()}` };
  for (let attempt = 0; attempt < 20; attempt++) {
    const status = await put(agent, `/api/v1/Account/${id}`, JSON.stringify(body)).catch(() => 0);
    if (status === 200) return true;
    await sleep(200);
  }
  return false;
}

function put(agent: Agent, path: string, body: string): Promise<number> {
  const { hostname, port } = new URL(product.url);
  const headers = {
    'content-type': 'application/json',
    'x-api-key': product.access().apiKey.apiKey,
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ agent, hostname, port, path, method: 'PUT', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Returns the dispatcher's memory in MB: resident, and of JavaScript objects. Empty while it restarts. */
async function sampleMemory(samples: Sample[]): Promise<void> {
  const found = await scrape(product.internalUrl('dispatcher')).catch(() => undefined);
  if (found === undefined) return;
  const megabytes = (name: string) => Math.round(found.sum(name) / 1024 / 1024);
  samples.push({
    resident: megabytes('process_resident_memory_bytes'),
    objects: megabytes('nodejs_heap_size_used_bytes'),
  });
}

function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
