import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { contactValues } from '../contact-values.ts';
import { median, rounded } from '../median.ts';
import { type Program, startProgram } from '../start-program.ts';
import { type Backlog, deliverBacklog } from './deliver-backlog.ts';
import { measureLatency } from './measure-latency.ts';
import { perSecond, type Receiver, startReceiver } from './start-receiver.ts';

export interface BareSenderRequest {
  readonly url: string;
  readonly body: string;
  readonly secret: string;
  readonly concurrency: number;
  readonly durationMs: number;
}

type BareSender = Program<BareSenderRequest, void>;

const singles: Backlog = { webhooks: 500, events: 40, eventsPerRequest: 1 };
const fifties: Backlog = { webhooks: 20, events: 12_500, eventsPerRequest: 50 };
const quickSingles: Backlog = { ...singles, events: 4 };
const quickFifties: Backlog = { ...fifties, events: 500 };
/** The dispatcher's own limit. */
const CONCURRENCY = 200;

/**
 * Measures webhook requests of one event and of fifty, and the latency from a single change to its receiver,
 * compared with undici in a loop that signs requests to the same receiver.
 */
export async function benchDelivery(context: BenchContext): Promise<BenchFigures> {
  const receiver = await startReceiver(context);
  const sender: BareSender = startProgram(context, 'bare-sender.ts');
  const one = await compare(context, { receiver, sender, size: 1 });
  const fifty = await compare(context, { receiver, sender, size: 50 });
  const latency = await measureLatency(context, receiver);
  context.report(`change to receiver: ${JSON.stringify(latency)}`);
  return {
    value: one.product,
    unit: 'requests/s of 1 event',
    yardstick: one.yardstick,
    ratio: rounded(one.product / one.yardstick, 2),
    target:
      '5,000 requests/s of 1 event and ratio 0.2; 50,000 events/s in requests of 50; change to receiver p50 25 ms, p99 100 ms at 200/s',
    eventsPerSecond50: fifty.product * 50,
    yardstickEventsPerSecond50: fifty.yardstick * 50,
    latencyP50Ms: latency.p50Ms,
    latencyP99Ms: latency.p99Ms,
    latencyChangesPerSecond: latency.perSecond,
  };
}

/** Requests per second of product and bare loop. */
async function compare(
  context: BenchContext,
  parts: { readonly receiver: Receiver; readonly sender: BareSender; readonly size: 1 | 50 },
): Promise<{ readonly product: number; readonly yardstick: number }> {
  const { receiver, sender, size } = parts;
  const backlog = backlogOf(size, context.isQuick);
  const rounds = await alternate(context, {
    rounds: 3,
    async product(round) {
      const counts = await deliverBacklog(context, receiver, backlog);
      const rate = perSecond(counts.events, counts);
      context.report(
        `dispatcher ${round}, ${size} per request: ${rate} events/s in ${counts.requests} requests`,
      );
      return rate / size;
    },
    async yardstick(round) {
      await receiver.reset();
      await sender.send({
        url: receiver.url,
        body: bodyOf(size),
        secret: 'a secret of some length for the signature',
        concurrency: CONCURRENCY,
        durationMs: context.isQuick ? 300 : 2_000,
      });
      const counts = await receiver.counts();
      const rate = perSecond(counts.requests, counts);
      context.report(`bare loop ${round}, ${size} per request: ${rate} requests/s`);
      return rate;
    },
  });
  return {
    product: Math.round(median(rounds.product)),
    yardstick: Math.round(median(rounds.yardstick)),
  };
}

function backlogOf(size: 1 | 50, isQuick: boolean): Backlog {
  if (size === 1) return isQuick ? quickSingles : singles;
  return isQuick ? quickFifties : fifties;
}

/** A body similar to those of the dispatcher: the attributes of new Contacts. */
function bodyOf(size: number): string {
  const events = contactValues(size).map((values, index) => ({
    id: index.toString(16).padStart(17, '0'),
    deleted: false,
    ...values,
  }));
  return JSON.stringify(events);
}
