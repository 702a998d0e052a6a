import { decodeWebhookAttempt } from '../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  isTestBatch,
  type WebhookEvent,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { decodeReadable } from '../decode-readable.ts';
import { readTopic } from './read-topic.ts';

/** Why a dead letter is dropped by hand. */
export const droppedByOperator = 'dropped by an operator';

type BatchState = 'delivered' | 'dead' | 'dropped' | 'waiting';

/** A batch as the topics tell of it. */
export interface LedgerBatch {
  readonly batchId: string;
  readonly webhookId: string;
  readonly replayId: string | undefined;
  readonly events: readonly Pick<WebhookEvent, 'eventId' | 'occurredAt'>[];
  /** How often it was enqueued: once, and again with each redelivery. */
  enqueued: number;
  /** How often it ended. */
  ended: number;
  state: BatchState;
  reason: string | null;
  /** Of its events, those that were left out of the request that delivered it. */
  withheld: number;
}

export type Ledger = ReadonlyMap<string, LedgerBatch>;

interface LedgerDeps {
  readonly connection: KafkaConnection;
  readonly topics: Pick<TopicNames, 'webhookBatches' | 'webhookAttempts'>;
}

interface Ending {
  readonly count: number;
  readonly state: BatchState;
  readonly reason: string | null;
  readonly events: number;
}

/**
 * Every batch that was ever enqueued, and how it stands. Endings are read first: of a system at work, none is then
 * seen without the batch that ended. Batches of tests are left out.
 */
export async function readLedger({ connection, topics }: LedgerDeps): Promise<Ledger> {
  const endings = new Map<string, Ending>();
  await readTopic(connection, {
    topic: topics.webhookAttempts,
    onMessage(_, { value }) {
      const attempt = decodeReadable(value, decodeWebhookAttempt);
      if (attempt === undefined || attempt.outcome === 'retry') return;
      const { batchId, outcome: state, reason, events } = attempt;
      // What an operator drops has ended before, as a dead letter.
      const ended = endings.get(batchId)?.count ?? 0;
      const count = reason === droppedByOperator ? ended : ended + 1;
      endings.set(batchId, { count, state, reason, events });
    },
  });
  const ledger = new Map<string, LedgerBatch>();
  await readTopic(connection, {
    topic: topics.webhookBatches,
    onMessage(_, { value }) {
      const batch = decodeReadable(value, decodeWebhookBatch);
      if (batch === undefined || isTestBatch(batch)) return;
      const { batchId, webhookId, replayId, events } = batch;
      const known = ledger.get(batchId);
      if (known !== undefined) known.enqueued += 1;
      else {
        ledger.set(batchId, {
          batchId,
          webhookId,
          replayId,
          events: events.map(({ eventId, occurredAt }) => ({ eventId, occurredAt })),
          enqueued: 1,
          ended: 0,
          state: 'waiting',
          reason: null,
          withheld: 0,
        });
      }
    },
  });
  for (const entry of ledger.values()) settle(entry, endings.get(entry.batchId));
  return ledger;
}

/** One that was enqueued again and has not ended since waits again. */
function settle(entry: LedgerBatch, ending: Ending | undefined): void {
  entry.ended = ending?.count ?? 0;
  if (ending === undefined || entry.ended < entry.enqueued) return;
  entry.state = ending.state;
  entry.reason = ending.reason;
  if (ending.state === 'delivered') entry.withheld = entry.events.length - ending.events;
}
