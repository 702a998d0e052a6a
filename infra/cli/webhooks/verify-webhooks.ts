import { matchEvent } from '../../../services/dispatcher/match/match-event.ts';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { readGroupPositions } from '../../../shared/kafka/transactor.ts';
import type { Installation } from '../installation.ts';
import { countLedger, emptyAccount, type WebhookAccount } from './account.ts';
import { readOpenPlaces } from './open-places.ts';
import { type Ledger, readLedger } from './read-ledger.ts';
import { readTopic } from './read-topic.ts';
import { requireWebhook } from './require-webhook.ts';

export interface WebhookVerification {
  readonly isClean: boolean;
  readonly webhooks: readonly WebhookAccount[];
}

type OnProgress = (progress: { readonly done: number; readonly total: number }) => void;

interface VerifyOptions {
  readonly webhook?: string | undefined;
  /** By the time of the events; milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Proves, per webhook: events matched = enqueued + waiting in the log, and enqueued = delivered + dead + dropped +
 * waiting, each once; and that whatever waits stands where delivery will find it. From the topics alone; the log is
 * matched anew with the webhooks as they are now. A webhook that is gone matches nothing any more, so of that one only
 * the second half can be told.
 */
export async function verifyWebhooks(
  installation: Pick<Installation, 'kafka' | 'topics' | 'topicPrefix' | 'log'>,
  options: VerifyOptions,
): Promise<WebhookVerification> {
  const { kafka, topics, topicPrefix, log } = installation;
  const connection = createKafkaConnection(kafka, log);
  const follower = followDirectory(kafka, topics.directory, log);
  try {
    // Positions before batches before the log: what is in the log before them has its batch.
    const positions = await readGroupPositions(
      kafka,
      { groupId: `${topicPrefix}.queue`, topics: [topics.records] },
      log,
    );
    const enqueuedTo = new Map(positions.map(({ partition, offset }) => [partition, offset]));
    const isOpen = await readOpenPlaces(installation);
    const ledger = await readLedger({ connection, topics, isOpen });
    await follower.catchUp();
    requireWebhook(follower.directory, options.webhook);
    const isWanted = isWithin(options);
    const accounts = countLedger(ledger, { directory: follower.directory, isWanted });
    const enqueued = enqueuedEvents(ledger);
    await matchAnew(
      { connection, topic: topics.records, directory: follower.directory },
      {
        onProgress: options.onProgress,
        onMatch({ webhookId, event, partition, offset }) {
          if (!isWanted({ webhookId, occurredAt: event.occurredAt })) return;
          const account = accounts.get(webhookId) ?? emptyAccount(webhookId, follower.directory);
          accounts.set(webhookId, account);
          account.matched = (account.matched ?? 0) + 1;
          if (enqueued.has(`${webhookId} ${event.eventId}`)) return;
          if (offset >= (enqueuedTo.get(partition) ?? 0n)) account.waitingInLog += 1;
          else account.missing.push(event.eventId);
        },
      },
    );
    const webhooks = [...accounts.values()].map(withUnmatched);
    return { isClean: webhooks.every(({ problems }) => problems.length === 0), webhooks };
  } finally {
    await Promise.all([connection.close(), follower.close()]);
  }
}

function isWithin({ webhook, from = -Infinity, to = Infinity }: VerifyOptions) {
  return (event: { readonly webhookId: string; readonly occurredAt: number }): boolean =>
    (webhook === undefined || event.webhookId === webhook) &&
    event.occurredAt >= from &&
    event.occurredAt < to;
}

function enqueuedEvents(ledger: Ledger): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { webhookId, replayId, events } of ledger.values()) {
    if (replayId === undefined)
      for (const { eventId } of events) found.add(`${webhookId} ${eventId}`);
  }
  return found;
}

function withUnmatched(account: WebhookAccount): WebhookAccount {
  const { matched, enqueued, waitingInLog, missing, doubled } = account;
  const problems = [...account.problems];
  if (missing.length > 0) problems.push(`${missing.length} matched events were never enqueued`);
  if (matched !== null) {
    const unexplained = enqueued - doubled - (matched - waitingInLog - missing.length);
    if (unexplained !== 0) problems.push(`${unexplained} events were enqueued that do not match`);
  }
  return { ...account, problems };
}

interface Matched {
  readonly webhookId: string;
  readonly event: LoggedEvent;
  readonly partition: number;
  readonly offset: bigint;
}

async function matchAnew(
  {
    connection,
    topic,
    directory,
  }: {
    readonly connection: KafkaConnection;
    readonly topic: string;
    readonly directory: Directory;
  },
  { onMatch, onProgress }: Pick<VerifyOptions, 'onProgress'> & { onMatch(matched: Matched): void },
): Promise<void> {
  const states = new Map<number, FoldState>();
  await readTopic(connection, {
    topic,
    ...(onProgress === undefined ? {} : { onProgress }),
    onMessage(partition, message) {
      const { entry, state } = takeMessage(states.get(partition) ?? emptyFold, message);
      states.set(partition, state);
      if (entry?.kind !== 'event') return;
      const { event } = entry;
      const { offset } = message;
      for (const { webhook } of matchEvent(directory, { event, partition, offset })) {
        onMatch({ webhookId: webhook.id, event, partition, offset });
      }
    },
  });
}
