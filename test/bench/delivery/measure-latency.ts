import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../bench.ts';
import { contactBodies } from '../contact-bodies.ts';
import type { PacedSpec } from '../load/paced-loop.ts';
import { percentile, rounded } from '../median.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { startProgram } from '../start-program.ts';
import { opening, unlimited } from './deliver-backlog.ts';
import type { Receiver } from './start-receiver.ts';

export interface DeliveryLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

const PER_SECOND = 200;
const SETTLE_MS = 1_000;

/** Measures the time from sending a change to the API until the receiver has its event, at a steady rate. */
export async function measureLatency(
  context: BenchContext,
  receiver: Receiver,
): Promise<DeliveryLatency> {
  const product = await startBenchProduct(context, { ...unlimited, ...opening(receiver) });
  const { apiKey } = product.access().apiKey;
  await register(product.url, apiKey, receiver.url);
  const { hostname, port } = new URL(product.url);
  const generator = startProgram<PacedSpec, number>(context, 'paced-generator.ts');
  const spec: PacedSpec = {
    host: hostname,
    port: Number(port),
    path: '/api/v1/Contact',
    apiKey,
    timeAttribute: 'description',
    body: contactBodies(1)[0] ?? {},
    perSecond: PER_SECOND,
    durationMs: 0,
  };
  const ask = (durationMs: number) => generator.send({ ...spec, durationMs });
  await ask(context.isQuick ? 500 : 5_000);
  await sleep(SETTLE_MS);
  await receiver.reset();
  const sent = await ask(context.isQuick ? 1_000 : 6_000);
  const { latenciesMs } = await receiver.waitForEvents(sent, () => {});
  return {
    p50Ms: rounded(percentile(latenciesMs, 0.5), 1),
    p99Ms: rounded(percentile(latenciesMs, 0.99), 1),
    perSecond: PER_SECOND,
  };
}

async function register(url: string, apiKey: string, receiverUrl: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/Webhook`, {
    method: 'POST',
    headers: {
      'X-Api-Key': apiKey,
      'Content-Type': 'application/json',
      'X-Skip-Duplicate-Check': 'true',
    },
    body: JSON.stringify({ event: 'Contact.create', url: receiverUrl }),
  });
  if (response.status !== 201) throw new Error(await response.text());
}
