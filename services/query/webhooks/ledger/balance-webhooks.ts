import { followDirectory } from '../../../../shared/directory/directory-follower.ts';
import { counted } from '../../../../shared/domain/counted.ts';
import {
  type LocatedRecordEvent,
  matchEvent,
} from '../../../../shared/domain/match/match-event.ts';
import { decodeProgress } from '../../../../shared/events/delivery-progress.ts';
import { emptyFold, type FoldState } from '../../../../shared/events/fold.ts';
import { takeMessage } from '../../../../shared/events/take-message.ts';
import type { ObservedLog } from '../../../../shared/installation/observed.ts';
import {
  createKafkaConnection,
  type KafkaConnection,
} from '../../../../shared/kafka/connection.ts';
import { deliveredTopics, deliveryGroup } from '../../../../shared/kafka/topics.ts';
import { readGroupPositions } from '../../../../shared/kafka/transactor.ts';
import {
  type BatchHistories,
  type HistoryOptions,
  type OpenPlaces,
  readBatchHistories,
} from './read-batch-histories.ts';
import { readTopic, type TopicRead } from './read-topic.ts';
import { balanceLedgers, emptyLedger, type WebhookLedger } from './webhook-ledger.ts';

export interface WebhookVerification {
  readonly isClean: boolean;
  readonly webhooks: readonly WebhookLedger[];
}

/** With `webhook`, only the ledger of that webhook is balanced. */
export interface BalanceOptions extends HistoryOptions {
  readonly onProgress?: TopicRead['onProgress'];
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
  installation: ObservedLog,
  options: BalanceOptions = {},
): Promise<WebhookVerification> {
  const { kafka, topics, topicPrefix, log } = installation;
  const connection = createKafkaConnection(kafka, log);
  const follower = followDirectory(kafka, topics.directory, log);
  try {
    // Reads positions, then batches, then the log, so that every event before the positions has its batch.
    const queue = { groupId: `${topicPrefix}.queue`, topics: [topics.records] };
    const positions = await readGroupPositions(kafka, queue, log);
    const enqueuedTo = new Map(positions.map(({ partition, offset }) => [partition, offset]));
    const isOpen = await readOpenPlaces(installation);
    const histories = await readBatchHistories({ connection, topics }, { ...options, isOpen });
    await follower.catchUp();
    const { directory } = follower;
    const isWanted = isWithin(options);
    const ledgers = balanceLedgers(histories, directory, isWanted);
    const enqueuers = findEnqueuers(histories);
    const isInLog = ({ partition, offset }: LocatedRecordEvent) =>
      offset >= (enqueuedTo.get(partition) ?? 0n);
    const addMatch = (webhookId: string, located: LocatedRecordEvent) => {
      const { event } = located;
      if (!isWanted(webhookId, event.occurredAt)) return;
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
      for (const { webhook } of matchEvent(directory, located)) addMatch(webhook.id, located);
    });
    const webhooks = [...ledgers.values()].map(withUnmatched);
    return { isClean: webhooks.every(({ problems }) => problems.length === 0), webhooks };
  } finally {
    await Promise.all([connection.close(), follower.close()]);
  }
}

/** Returns a function that reports whether delivery had not yet recorded the message at a position in the log. */
async function readOpenPlaces(installation: ObservedLog): Promise<OpenPlaces> {
  const { kafka, topics, topicPrefix, log } = installation;
  const delivery = { groupId: deliveryGroup(topicPrefix), topics: deliveredTopics(topics) };
  const positions = await readGroupPositions(kafka, delivery, log);
  const progress = new Map(
    positions.map(({ topic, partition, offset, metadata }) => {
      const { open, end } = decodeProgress(offset, metadata);
      return [`${topic}/${partition}`, { open: new Set(open), end }];
    }),
  );
  return ({ topic, partition, offset }) => {
    const recorded = progress.get(`${topic}/${partition}`);
    return recorded === undefined || offset >= recorded.end || recorded.open.has(offset);
  };
}

function isWithin({ webhook, from = -Infinity, to = Infinity }: BalanceOptions) {
  return (webhookId: string, occurredAt: number): boolean =>
    (webhook === undefined || webhookId === webhook) && occurredAt >= from && occurredAt < to;
}

/** Returns, by webhook and event, whether the queue has enqueued the event or only replays have. */
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

/** Passes on all valid events. Superseded and unreadable entries are skipped. */
async function readEvents(
  connection: KafkaConnection,
  read: Omit<TopicRead, 'onMessage'>,
  onEvent: (located: LocatedRecordEvent) => void,
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
