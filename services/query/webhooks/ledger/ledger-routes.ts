import type { FastifyInstance } from 'fastify';
import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import { requireWebhook } from '../../../../shared/domain/directory/require-webhook.ts';
import { count, nullableText, objectOf, text } from '../../../../shared/http/describe/schemas.ts';
import {
  describeSystemRoute,
  readOperator,
  type SystemRouteDeps,
} from '../../../../shared/http/system-route.ts';
import { toLogAddress } from '../../../../shared/installation/log-address.ts';
import { liveRead } from '../../../../shared/kafka/read-partitions.ts';
import { createShared } from '../../../../shared/runtime/share-answers.ts';
import { balanceWebhooks, type DispatcherRules } from './balance-webhooks.ts';
import { emptyLedger, type WebhookLedger } from './webhook-ledger.ts';

export interface AccountRouteDeps extends SystemRouteDeps {
  readonly directory: Directory;
  readonly dispatcherRules: DispatcherRules;
}

type Account = WebhookLedger & { readonly at: string };

const KEPT_MS = 10_000;
/** Some 50 MB of memory. */
const MOST_EVENTS = 200_000;
/** A portion is decoded without a pause. This blocks the event loop, and other requests, for about 20 ms. */
const portion = { ...liveRead, maxBytes: 512 * 1024, maxBytesPerPartition: 128 * 1024 };

/**
 * `GET System/webhookLedgers/{id}`: the ledger of a webhook, calculated from the log, for administrators
 * (docs/reference/system.md). Reading is slow, so only one ledger is calculated at a time.
 */
export function registerAccountRoutes(server: FastifyInstance, deps: AccountRouteDeps): void {
  const { observed, directory, dispatcherRules } = deps;
  const accounts = new Map<string, () => Promise<Account>>();
  let reading: Promise<unknown> = Promise.resolve();

  async function calculate(webhook: string): Promise<Account> {
    const at = new Date().toISOString();
    const log = { ...observed, kafka: await toLogAddress(observed) };
    const options = { webhook, portion, mostEvents: MOST_EVENTS };
    const { webhooks } = await balanceWebhooks(log, dispatcherRules, options);
    const [ledger = emptyLedger(webhook, directory)] = webhooks;
    return { ...ledger, at };
  }

  async function inTurn(webhook: string): Promise<Account> {
    const mine = reading.then(() => calculate(webhook));
    reading = mine.catch(() => undefined);
    return mine;
  }

  server.get<{ Params: { readonly id: string } }>(
    '/api/v1/System/webhookLedgers/:id',
    readingAccount,
    async (request) => {
      const actor = await readOperator(deps, request);
      const { id } = requireWebhook(directory, actor, request.params.id);
      const account = accounts.get(id) ?? createShared(KEPT_MS, () => inTurn(id));
      accounts.set(id, account);
      return account();
    },
  );
}

const readingAccount = describeSystemRoute({
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
