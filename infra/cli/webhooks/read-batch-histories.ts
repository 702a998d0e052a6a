import { decodeReadable } from '../../../shared/events/decode-readable.ts';
import {
  decodeWebhookAttempt,
  droppedByOperator,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  isTestBatch,
  type WebhookBatch,
  type WebhookEvent,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { type TopicNames, waitingTopics } from '../../../shared/kafka/topics.ts';
import type { OpenPlaces } from './open-places.ts';
import { readTopic } from './read-topic.ts';

type BatchState = 'delivered' | 'dead' | 'dropped' | 'waiting';

/** A batch as the topics tell of it. */
export interface BatchHistory {
  readonly batchId: string;
  readonly webhookId: string;
  readonly replayId: string | undefined;
  readonly events: readonly Pick<WebhookEvent, 'eventId' | 'occurredAt'>[];
  /** How often it was enqueued: once, and again with each redelivery. */
  enqueued: number;
  /** How often it ended. */
  ended: number;
  /** Where it stands and delivery has not recorded what became of it. More than one while it moves on. */
  places: number;
  state: BatchState;
  reason: string | null;
  /** Of its events, those that were left out of the request that delivered it. */
  withheld: number;
}

export type BatchHistories = ReadonlyMap<string, BatchHistory>;

interface HistoryDeps {
  readonly connection: KafkaConnection;
  readonly topics: Pick<
    TopicNames,
    'webhookBatches' | 'webhookOverflow' | 'webhookRetries' | 'webhookAttempts'
  >;
  /** As of a moment before this is read. Without it nobody looks where batches stand. */
  readonly isOpen?: OpenPlaces;
}

interface FinalOutcome {
  readonly count: number;
  readonly state: BatchState;
  readonly reason: string | null;
  readonly events: number;
}

/**
 * Every batch that was ever enqueued, and how it stands. Outcomes are read first: of a system at work, none is then
 * seen without the batch that ended. Where batches go on is read last: what moves on meanwhile is found at its next
 * place. Batches of tests are left out.
 */
export async function readBatchHistories(deps: HistoryDeps): Promise<BatchHistories> {
  const { connection, topics, isOpen } = deps;
  const outcomes = await readOutcomes(deps);
  const histories = new Map<string, BatchHistory>();
  const topic = topics.webhookBatches;
  await readTopic(connection, {
    topic,
    onMessage(partition, { offset, value }) {
      const batch = decodeReadable(value, decodeWebhookBatch);
      if (batch === undefined || isTestBatch(batch)) return;
      const entry = histories.get(batch.batchId) ?? newEntry(batch);
      histories.set(batch.batchId, entry);
      entry.enqueued += 1;
      if (isOpen?.({ topic, partition, offset }) === true) entry.places += 1;
    },
  });
  for (const entry of histories.values()) applyOutcome(entry, outcomes.get(entry.batchId));
  if (isOpen !== undefined) {
    await countOnward({ ...deps, isOpen }, histories);
    if ([...histories.values()].some(isLost)) await leaveOutEnded(deps, histories);
  }
  return histories;
}

/** Waits by its outcomes, and stands nowhere. */
export function isLost({ enqueued, ended, places }: BatchHistory): boolean {
  return places < enqueued - ended;
}

async function readOutcomes({
  connection,
  topics,
}: HistoryDeps): Promise<Map<string, FinalOutcome>> {
  const outcomes = new Map<string, FinalOutcome>();
  await readTopic(connection, {
    topic: topics.webhookAttempts,
    onMessage(_, { value }) {
      const attempt = decodeReadable(value, decodeWebhookAttempt);
      if (attempt === undefined || attempt.outcome === 'retry') return;
      const { batchId, outcome: state, reason, events } = attempt;
      // What an operator drops has ended before, as a dead letter.
      const ended = outcomes.get(batchId)?.count ?? 0;
      const count = reason === droppedByOperator ? ended : ended + 1;
      outcomes.set(batchId, { count, state, reason, events });
    },
  });
  return outcomes;
}

function newEntry({ batchId, webhookId, replayId, events }: WebhookBatch): BatchHistory {
  return {
    batchId,
    webhookId,
    replayId,
    events: events.map(({ eventId, occurredAt }) => ({ eventId, occurredAt })),
    enqueued: 0,
    ended: 0,
    places: 0,
    state: 'waiting',
    reason: null,
    withheld: 0,
  };
}

/** Retries may come to the overflow, and go from there to the retries again. */
async function countOnward(
  { connection, topics, isOpen }: Required<HistoryDeps>,
  histories: BatchHistories,
): Promise<void> {
  for (const topic of waitingTopics(topics)) {
    await readTopic(connection, {
      topic,
      onMessage(partition, { offset, value }) {
        if (!isOpen({ topic, partition, offset })) return;
        const batch = decodeReadable(value, decodeWebhookBatch);
        const entry = batch === undefined ? undefined : histories.get(batch.batchId);
        if (entry !== undefined) entry.places += 1;
      },
    });
  }
}

/** What ended while the rest was read has left its place, which may have been trimmed since. */
async function leaveOutEnded(deps: HistoryDeps, histories: BatchHistories): Promise<void> {
  const outcomes = await readOutcomes(deps);
  for (const entry of histories.values()) {
    const ended = outcomes.get(entry.batchId)?.count ?? 0;
    if (isLost(entry) && ended > entry.ended) entry.places += ended - entry.ended;
  }
}

/** One that was enqueued again and has not ended since waits again. */
function applyOutcome(entry: BatchHistory, outcome: FinalOutcome | undefined): void {
  entry.ended = outcome?.count ?? 0;
  if (outcome === undefined || entry.ended < entry.enqueued) return;
  entry.state = outcome.state;
  entry.reason = outcome.reason;
  if (outcome.state === 'delivered') entry.withheld = entry.events.length - outcome.events;
}
