import { followDirectory } from '../../../../shared/directory/directory-follower.ts';
import { counted } from '../../../../shared/domain/counted.ts';
import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import { emptyFold, type FoldState } from '../../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../../shared/events/take-message.ts';
import type { Observed } from '../../../../shared/installation/observed.ts';
import {
  createKafkaConnection,
  type KafkaConnection,
} from '../../../../shared/kafka/connection.ts';
import { readGroupPositions } from '../../../../shared/kafka/transactor.ts';
import {
  type BatchHistories,
  type HeldBatches,
  type OpenPlaces,
  readBatchHistories,
} from './read-batch-histories.ts';
import { readTopic, type TopicRead } from './read-topic.ts';
import { balanceLedgers, emptyLedger, type WebhookLedger } from './webhook-ledger.ts';

export interface WebhookVerification {
  readonly isClean: boolean;
  readonly webhooks: readonly WebhookLedger[];
}

type Topics = Pick<Observed, 'kafka' | 'topics' | 'topicPrefix' | 'log'>;

/** Functions of the dispatcher, injected by the caller, because services do not import each other. */
export interface DispatcherRules {
  /** Returns the webhooks that an event fires. */
  readonly match: (
    directory: Directory,
    located: Located,
  ) => readonly { readonly webhook: { readonly id: string } }[];
  /** Reads which messages delivery still has to handle. */
  readonly readOpenPlaces: (installation: Topics) => Promise<OpenPlaces>;
}

/** With `webhook`, only the ledger of that webhook is balanced. */
export interface BalanceOptions extends HeldBatches, Pick<TopicRead, 'onProgress' | 'portion'> {
  /** Range of event times, in milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * Verifies for each webhook that matched = enqueued + waiting in the log, that enqueued = delivered + dead + dropped +
 * waiting, that each event is counted once, and that delivery will find all waiting batches. Reads only topics, and
 * matches the log again with the current webhooks. Events that only replays have enqueued are counted in `replayed`.
 * For a removed webhook, only the second equation can be checked.
 */
export async function balanceWebhooks(
  installation: Topics,
  rules: DispatcherRules,
  options: BalanceOptions,
): Promise<WebhookVerification> {
  const { kafka, topics, topicPrefix, log } = installation;
  const connection = createKafkaConnection(kafka, log);
  const follower = followDirectory(kafka, topics.directory, log);
  try {
    // Reads positions, then batches, then the log: every event before the positions then has its batch.
    const positions = await readGroupPositions(
      kafka,
      { groupId: `${topicPrefix}.queue`, topics: [topics.records] },
      log,
    );
    const enqueuedTo = new Map(positions.map(({ partition, offset }) => [partition, offset]));
    const isInLog = ({ partition, offset }: Located) => offset >= (enqueuedTo.get(partition) ?? 0n);
    const isOpen = await rules.readOpenPlaces(installation);
    const histories = await readBatchHistories({ ...options, connection, topics, isOpen });
    await follower.catchUp();
    const { directory } = follower;
    const isWanted = isWithin(options);
    const ledgers = balanceLedgers(histories, { directory, isWanted });
    const enqueuers = findEnqueuers(histories);
    const onMatch = (webhookId: string, located: Located): void => {
      const { event } = located;
      if (!isWanted({ webhookId, occurredAt: event.occurredAt })) return;
      const enqueuer = enqueuers.get(`${webhookId} ${event.eventId}`);
      const isWaiting = isInLog(located);
      if (enqueuer === 'replays' && !isWaiting) return;
      const ledger = ledgers.get(webhookId) ?? emptyLedger(webhookId, directory);
      ledgers.set(webhookId, ledger);
      ledger.matched = (ledger.matched ?? 0) + 1;
      if (enqueuer === 'queue') return;
      if (isWaiting) ledger.waitingInLog += 1;
      else ledger.missing.push(event.eventId);
    };
    const { portion, onProgress } = options;
    await readEvents(connection, { topic: topics.records, portion, onProgress }, (located) => {
      for (const { webhook: matched } of rules.match(directory, located))
        onMatch(matched.id, located);
    });
    const webhooks = [...ledgers.values()].map(withUnmatched);
    return { isClean: webhooks.every(({ problems }) => problems.length === 0), webhooks };
  } finally {
    await Promise.all([connection.close(), follower.close()]);
  }
}

function isWithin({ webhook, from = -Infinity, to = Infinity }: BalanceOptions) {
  return (event: { readonly webhookId: string; readonly occurredAt: number }): boolean =>
    (webhook === undefined || event.webhookId === webhook) &&
    event.occurredAt >= from &&
    event.occurredAt < to;
}

/** Whether the queue or only replays have enqueued an event, by webhook and event. */
function findEnqueuers(histories: BatchHistories): ReadonlyMap<string, 'queue' | 'replays'> {
  const found = new Map<string, 'queue' | 'replays'>();
  for (const { webhookId, replayId, events } of histories.values()) {
    for (const { eventId } of events) {
      const key = `${webhookId} ${eventId}`;
      if (replayId === undefined) found.set(key, 'queue');
      else if (!found.has(key)) found.set(key, 'replays');
    }
  }
  return found;
}

function withUnmatched(ledger: WebhookLedger): WebhookLedger {
  const { matched, enqueued, waitingInLog, missing, doubled } = ledger;
  const problems = [...ledger.problems];
  if (missing.length > 0)
    problems.push(`${counted(missing.length, 'matched event')} never enqueued`);
  if (matched !== null) {
    const unexplained = enqueued - doubled - (matched - waitingInLog - missing.length);
    if (unexplained !== 0)
      problems.push(`${counted(unexplained, 'event')} enqueued without a match`);
  }
  return { ...ledger, problems };
}

interface Located {
  readonly event: LoggedEvent;
  readonly partition: number;
  readonly offset: bigint;
}

/** Passes on the events that count, without superseded and unreadable entries. */
async function readEvents(
  connection: KafkaConnection,
  read: Omit<TopicRead, 'onMessage'>,
  onEvent: (located: Located) => void,
): Promise<void> {
  const states = new Map<number, FoldState>();
  await readTopic(connection, {
    ...read,
    onMessage(partition, message) {
      const { entry, state } = takeMessage(states.get(partition) ?? emptyFold, message);
      states.set(partition, state);
      if (entry?.kind !== 'event') return;
      onEvent({ event: entry.event, partition, offset: message.offset });
    },
  });
}
