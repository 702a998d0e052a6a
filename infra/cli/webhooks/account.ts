import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { notReadable } from '../../../shared/events/events-for-receiver.ts';
import { isLost, type Ledger, type LedgerBatch } from './read-ledger.ts';

/** What became of the events of one webhook. All numbers count events. */
export interface WebhookAccount {
  readonly webhookId: string;
  readonly event: string;
  /** By the log; null for a webhook that is gone. */
  matched: number | null;
  waitingInLog: number;
  enqueued: number;
  delivered: number;
  dead: number;
  readonly dropped: Record<string, number>;
  waiting: number;
  /** Enqueued by replays, apart from the above. */
  replayed: number;
  /** Enqueued a second time, redeliveries excepted. */
  doubled: number;
  readonly missing: string[];
  readonly problems: readonly string[];
}

interface CountContext {
  readonly directory: Directory;
  isWanted(event: { readonly webhookId: string; readonly occurredAt: number }): boolean;
}

export function emptyAccount(webhookId: string, directory: Directory): WebhookAccount {
  const webhook = directory.record('Webhook', webhookId);
  return {
    webhookId,
    event: String(webhook?.values['event'] ?? ''),
    matched: webhook === undefined || webhook.deleted ? null : 0,
    waitingInLog: 0,
    enqueued: 0,
    delivered: 0,
    dead: 0,
    dropped: {},
    waiting: 0,
    replayed: 0,
    doubled: 0,
    missing: [],
    problems: [],
  };
}

/** The second half of the account: enqueued = delivered + dead + dropped + waiting. */
export function countLedger(
  ledger: Ledger,
  { directory, isWanted }: CountContext,
): Map<string, WebhookAccount> {
  const accounts = new Map<string, WebhookAccount>();
  const seen = new Set<string>();
  for (const batch of ledger.values()) {
    const { webhookId, replayId = '' } = batch;
    const account = accounts.get(webhookId) ?? emptyAccount(webhookId, directory);
    const wanted = batch.events.filter(({ occurredAt }) => isWanted({ webhookId, occurredAt }));
    if (wanted.length === 0) continue;
    const keys = wanted.map(({ eventId }) => `${webhookId} ${replayId} ${eventId}`);
    const doubled = keys.filter((key) => seen.has(key)).length;
    for (const key of keys) seen.add(key);
    addBatch(account, { batch, events: wanted.length });
    account.doubled += doubled;
    accounts.set(webhookId, withProblems(account, batch, doubled));
  }
  return accounts;
}

function addBatch(
  account: WebhookAccount,
  { batch, events }: { readonly batch: LedgerBatch; readonly events: number },
): void {
  if (batch.replayId === undefined) account.enqueued += events;
  else account.replayed += events;
  if (batch.state === 'dropped') drop(account, batch.reason ?? 'no reason', events);
  else if (batch.state === 'delivered') {
    // Which of them were withheld nobody wrote down: of a part of the batch it may be any.
    const withheld = Math.min(batch.withheld, events);
    if (withheld > 0) drop(account, notReadable, withheld);
    account.delivered += events - withheld;
  } else account[batch.state] += events;
}

function drop({ dropped }: WebhookAccount, reason: string, events: number): void {
  dropped[reason] = (dropped[reason] ?? 0) + events;
}

function withProblems(
  account: WebhookAccount,
  batch: LedgerBatch,
  doubled: number,
): WebhookAccount {
  const { batchId, ended, enqueued } = batch;
  const problems = [
    ...(ended > enqueued
      ? [`batch ${batchId} ended ${ended} times, enqueued ${enqueued} times`]
      : []),
    ...(isLost(batch) ? [`batch ${batchId} has not ended, and waits nowhere`] : []),
    ...(doubled > 0 ? [`batch ${batchId} holds ${doubled} events that another one holds too`] : []),
  ];
  return problems.length === 0
    ? account
    : { ...account, problems: [...account.problems, ...problems] };
}
