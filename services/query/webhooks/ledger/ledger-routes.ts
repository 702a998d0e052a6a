import type { FastifyInstance } from 'fastify';
import { requireWebhook } from '../../../../shared/domain/directory/require-webhook.ts';
import { count, nullableText, objectOf, text } from '../../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../../shared/http/system-route.ts';
import { toLogAddress } from '../../../../shared/installation/log-address.ts';
import type { Observed } from '../../../../shared/installation/observed.ts';
import { liveRead } from '../../../../shared/kafka/read-partitions.ts';
import { createShared } from '../../../../shared/runtime/share-answers.ts';
import type { QueryContext } from '../../context.ts';
import { balanceWebhooks } from './balance-webhooks.ts';
import { emptyLedger, type WebhookLedger } from './webhook-ledger.ts';

type DatedLedger = WebhookLedger & { readonly at: string };

const KEPT_MS = 10_000;
/** Takes about 50 MB of memory. */
const MOST_EVENTS = 200_000;
/** A portion is decoded without a pause. This blocks the event loop, and other requests, for about 20 ms. */
const portion = { ...liveRead, maxBytes: 512 * 1024, maxBytesPerPartition: 128 * 1024 };

/**
 * Registers `GET System/webhookLedgers/{id}`, which returns the ledger of a webhook, calculated from the log, for
 * administrators (docs/reference/system.md). Reading is slow, so only one ledger is calculated at a time.
 */
export function registerLedgerRoutes(
  server: FastifyInstance,
  observed: Observed,
  context: QueryContext,
): void {
  const { directory } = context;
  const ledgers = new Map<string, () => Promise<DatedLedger>>();
  let reading: Promise<unknown> = Promise.resolve();

  async function calculate(webhook: string): Promise<DatedLedger> {
    const at = new Date().toISOString();
    const log = { ...observed, kafka: await toLogAddress(observed) };
    const options = { webhook, portion, mostEvents: MOST_EVENTS };
    const { webhooks } = await balanceWebhooks(log, options);
    const [ledger = emptyLedger(webhook, directory)] = webhooks;
    return { ...ledger, at };
  }

  async function inTurn(webhook: string): Promise<DatedLedger> {
    const mine = reading.then(() => calculate(webhook));
    reading = mine.catch(() => undefined);
    return mine;
  }

  server.get<{ Params: { readonly id: string } }>(
    '/api/v1/System/webhookLedgers/:id',
    readingLedger,
    async (request) => {
      const actor = await readOperator(context, request);
      const { id } = requireWebhook(directory, actor, request.params.id);
      const ledger = ledgers.get(id) ?? createShared(KEPT_MS, () => inTurn(id));
      ledgers.set(id, ledger);
      return ledger();
    },
  );
}

const readingLedger = describeSystemRoute({
  id: 'System_webhookAccount',
  summary: 'Balance the events of a webhook: matched, enqueued, and their outcomes',
  description:
    'The same as `annals verify --webhooks --json` for one webhook. It reads the whole log, which takes seconds per million events. The response may be ten seconds old. For administrators.',
  parameters: ['id'],
  answer: objectOf({
    at: { ...text, format: 'date-time' },
    webhookId: text,
    url: nullableText,
    event: text,
    matched: {
      type: ['integer', 'null'],
      description:
        'Events in the log that match the webhook, without events that only replays have enqueued. Null for a removed webhook.',
    },
    waitingInLog: { ...count, description: 'Matched events that are not in a batch yet.' },
    enqueued: { ...count, description: 'Events in batches, without those of replays.' },
    delivered: count,
    dead: count,
    dropped: {
      type: 'object',
      description: 'Dropped events by reason.',
      additionalProperties: { type: 'integer' },
    },
    waiting: { ...count, description: 'Events in batches without a final outcome.' },
    replayed: {
      ...count,
      description: 'Events enqueued by replays. Their outcomes are included above.',
    },
    doubled: count,
    missing: {
      type: 'array',
      items: text,
      description: 'Ids of matched events that were never enqueued.',
    },
    problems: { type: 'array', items: text, description: 'Empty if the ledger balances.' },
  }),
  errors: ['record.not_found', 'webhook.account_too_large', 'webhook.forbidden', 'access.denied'],
});
