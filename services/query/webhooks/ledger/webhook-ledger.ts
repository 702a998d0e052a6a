import { counted } from '../../../../shared/domain/counted.ts';
import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import { notReadable } from '../../../../shared/events/events-for-receiver.ts';
import { urlOfWebhook } from '../../../../shared/installation/webhook-name.ts';
import { type BatchHistories, type BatchHistory, isLost } from './read-batch-histories.ts';

/** The ledger of one webhook. All numbers count events. */
export interface WebhookLedger {
  readonly webhookId: string;
  /** The URL without its query; null for an unknown webhook id. */
  readonly url: string | null;
  readonly event: string;
  /** Matching events in the log, without events that only replays have enqueued; null for a removed webhook. */
  matched: number | null;
  waitingInLog: number;
  enqueued: number;
  delivered: number;
  dead: number;
  readonly dropped: Record<string, number>;
  waiting: number;
  /** Enqueued by replays, and not included in `enqueued`. */
  replayed: number;
  /** Enqueued more than once, not counting redeliveries. */
  doubled: number;
  readonly missing: string[];
  readonly problems: readonly string[];
}

export function emptyLedger(webhookId: string, directory: Directory): WebhookLedger {
  const webhook = directory.record('Webhook', webhookId);
  return {
    webhookId,
    url: urlOfWebhook(directory, webhookId),
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

/** Fills in the second equation of each ledger: enqueued = delivered + dead + dropped + waiting. */
export function balanceLedgers(
  histories: BatchHistories,
  directory: Directory,
  isWanted: (webhookId: string, occurredAt: number) => boolean,
): Map<string, WebhookLedger> {
  const ledgers = new Map<string, WebhookLedger>();
  const seen = new Set<string>();
  for (const batch of histories.values()) {
    const { webhookId, replayId = '' } = batch;
    const ledger = ledgers.get(webhookId) ?? emptyLedger(webhookId, directory);
    const wanted = batch.events.filter(({ occurredAt }) => isWanted(webhookId, occurredAt));
    if (wanted.length === 0) continue;
    const keys = wanted.map(({ eventId }) => `${webhookId} ${replayId} ${eventId}`);
    const doubled = keys.filter((key) => seen.has(key)).length;
    for (const key of keys) seen.add(key);
    addBatch(ledger, batch, wanted.length);
    ledger.doubled += doubled;
    ledgers.set(webhookId, withProblems(ledger, batch, doubled));
  }
  return ledgers;
}

function addBatch(ledger: WebhookLedger, batch: BatchHistory, events: number): void {
  if (batch.replayId === undefined) ledger.enqueued += events;
  else ledger.replayed += events;
  if (batch.state === 'dropped') drop(ledger, batch.reason ?? 'no reason', events);
  else if (batch.state === 'delivered') {
    // The outcome does not record which events were withheld, so any of them may be among `events`.
    const withheld = Math.min(batch.withheld, events);
    if (withheld > 0) drop(ledger, notReadable, withheld);
    ledger.delivered += events - withheld;
  } else ledger[batch.state] += events;
}

function drop({ dropped }: WebhookLedger, reason: string, events: number): void {
  dropped[reason] = (dropped[reason] ?? 0) + events;
}

function withProblems(ledger: WebhookLedger, batch: BatchHistory, doubled: number): WebhookLedger {
  const { batchId, ended, enqueued } = batch;
  const problems = [
    ...(ended > enqueued
      ? [
          `batch ${batchId} ended ${counted(ended, 'time')}, but was enqueued ${counted(enqueued, 'time')}`,
        ]
      : []),
    ...(isLost(batch) ? [`batch ${batchId} has no outcome, but is in no queue`] : []),
    ...(doubled > 0
      ? [`batch ${batchId} contains ${counted(doubled, 'event')} of another batch`]
      : []),
  ];
  return problems.length === 0
    ? ledger
    : { ...ledger, problems: [...ledger.problems, ...problems] };
}
