import type { FastifyInstance } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { requireWebhook } from '../../../shared/domain/webhook/require-webhook.ts';
import { count, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { liveRead } from '../../../shared/kafka/read-partitions.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import { balanceWebhooks, type DispatcherRules } from '../webhooks/balance-webhooks.ts';
import { emptyLedger, type WebhookLedger } from '../webhooks/webhook-ledger.ts';
import { describeSystemRoute, readOperator, type SystemRouteDeps } from './system-route.ts';

export interface AccountRouteDeps extends SystemRouteDeps {
  readonly directory: Directory;
  readonly dispatcherRules: DispatcherRules;
}

type Account = WebhookLedger & { readonly at: string };

const KEPT_MS = 10_000;
/** Some 50 MB of memory. */
const MOST_EVENTS = 200_000;
/** Decoded without a pause: about 20 ms, in a process that has other requests to answer. */
const portion = { ...liveRead, maxBytes: 512 * 1024, maxBytesPerPartition: 128 * 1024 };

/**
 * `GET System/webhookLedgers/{id}`: the ledger of a webhook, worked out from the log, for administrators
 * (docs/reference/system.md). Reading takes long, so it is done for one webhook at a time.
 */
export function registerAccountRoutes(server: FastifyInstance, deps: AccountRouteDeps): void {
  const { observed, directory, dispatcherRules } = deps;
  const accounts = new Map<string, () => Promise<Account>>();
  let reading: Promise<unknown> = Promise.resolve();

  async function workOut(webhook: string): Promise<Account> {
    const at = new Date().toISOString();
    const log = { ...observed, kafka: await toLogAddress(observed) };
    const options = { webhook, portion, mostEvents: MOST_EVENTS };
    const { webhooks } = await balanceWebhooks(log, dispatcherRules, options);
    const [ledger = emptyLedger(webhook, directory)] = webhooks;
    return { ...ledger, at };
  }

  async function inTurn(webhook: string): Promise<Account> {
    const mine = reading.then(() => workOut(webhook));
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
  summary: 'Balance the events of a webhook: matched, enqueued, and what became of them',
  description:
    'As `annals verify --webhooks --json` for one webhook. It reads the whole log, so it takes seconds per million events, and an answer may be ten seconds old. For administrators.',
  parameters: ['id'],
  answer: objectOf({
    at: { ...text, format: 'date-time' },
    webhookId: text,
    url: nullableText,
    event: text,
    matched: {
      type: ['integer', 'null'],
      description:
        'Events that the log has for it, matched anew, without those that replays alone have enqueued; null for a removed webhook.',
    },
    waitingInLog: { ...count, description: 'Of them, those that no batch has yet.' },
    enqueued: { ...count, description: 'Those that a batch has: once each.' },
    delivered: count,
    dead: count,
    dropped: {
      type: 'object',
      description: 'By the reason.',
      additionalProperties: { type: 'integer' },
    },
    waiting: { ...count, description: 'In batches that have not ended.' },
    replayed: {
      ...count,
      description: 'Enqueued by replays beside them; where they ended is counted above.',
    },
    doubled: count,
    missing: { type: 'array', items: text, description: 'Ids of events that no batch has.' },
    problems: { type: 'array', items: text, description: 'Empty if it balances.' },
  }),
  errors: ['record.not_found', 'webhook.account_too_large', 'webhook.forbidden', 'access.denied'],
});
