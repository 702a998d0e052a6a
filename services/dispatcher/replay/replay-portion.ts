import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { WebhookReplay } from '../../../shared/domain/directory/webhook-replay.ts';
import { type Match, matchWebhook } from '../../../shared/domain/match/match-event.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { mapValues } from '../../../shared/domain/value/map-values.ts';
import type { Webhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { toWebhookEvent } from '../../../shared/events/build-webhook-body.ts';
import { eventsForReceiver } from '../../../shared/events/events-for-receiver.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import type { ReplayPosition, ReplayProgress } from '../../../shared/events/replay-progress.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { WebhookBatch, WebhookEvent } from '../../../shared/events/webhook-batch-codec.ts';
import type { ReadMessage, ReadPartition } from '../../../shared/kafka/read-partitions.ts';
import { traceparentOf } from '../../../shared/kafka/trace-header.ts';
import { BatchLists } from '../window/batch-lists.ts';

interface PortionContext {
  readonly directory: Directory;
  readonly webhook: Webhook;
  readonly replay: WebhookReplay;
  readonly batchSize: number;
  readonly now: number;
}

const MAX_SAMPLES = 3;

/**
 * Makes the next step of a replay: matches the events that were read with the webhook's filter. Whether an event is
 * valid depends on the whole log before it, so a replay reads the log from the beginning, but matches only events in
 * its time range. Events that the webhook's user may not read are counted separately and not enqueued, because delivery
 * would drop them.
 */
export function replayPortion(
  progress: ReplayProgress,
  read: readonly ReadPartition[],
  context: PortionContext,
): { readonly progress: ReplayProgress; readonly batches: readonly WebhookBatch[] } {
  const { directory, webhook, replay, batchSize, now } = context;
  const matched: MatchedEvent[] = [];
  const positions = progress.positions.map((from) => {
    const found = read.find(({ partition }) => partition === from.partition);
    if (found === undefined) return from;
    return pass(from, found, {
      end: replay.ends[from.partition] ?? 0n,
      onEvent(event, message) {
        if (event.occurredAt < replay.from || event.occurredAt >= replay.to) return;
        const match = matchWebhook(directory, webhook, event);
        if (match === undefined) return;
        const [shown] = eventsForReceiver([toWebhookEvent(event, match.data)], webhook, directory);
        matched.push({ event, match, shown, traceparent: traceparentOf(message) });
      },
    });
  });
  // The sort is stable, so events of one partition with the same time keep their order.
  const inTime = matched.toSorted((one, other) => one.event.occurredAt - other.event.occurredAt);
  const readable = inTime.filter(({ shown }) => shown !== undefined);
  const lists = new BatchLists({ batchSize, now, replayId: replay.id });
  for (const { event, match, traceparent } of readable) lists.add(event, match, traceparent);
  const batches = lists.close();
  const samples = replay.dryRun ? readable.slice(0, MAX_SAMPLES).map(toSample) : [];
  return {
    batches: replay.dryRun ? [] : batches,
    progress: {
      positions,
      events: progress.events + readable.length,
      hidden: progress.hidden + matched.length - readable.length,
      batches: progress.batches + batches.length,
      isDone: positions.every(({ partition, offset }) => offset >= (replay.ends[partition] ?? 0n)),
      samples: [...progress.samples, ...samples].slice(0, MAX_SAMPLES),
    },
  };
}

interface MatchedEvent {
  readonly event: LoggedEvent;
  readonly match: Match;
  /** The event as the webhook's user may read it now; undefined if the user may not read it. */
  readonly shown: WebhookEvent | undefined;
  readonly traceparent: string | undefined;
}

/** Limits the size of the progress, which is stored as one message. */
const MAX_SAMPLE_LENGTH = 1_000;

/** Returns the data of an event, with long values truncated. */
function toSample({ shown }: MatchedEvent): AttributeValues {
  const data: AttributeValues = JSON.parse(shown?.data ?? '{}');
  return mapValues(data, (value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > MAX_SAMPLE_LENGTH ? text.slice(0, MAX_SAMPLE_LENGTH) : value;
  });
}

function pass(
  from: ReplayPosition,
  { messages, nextOffset }: ReadPartition,
  {
    end,
    onEvent,
  }: { readonly end: bigint; onEvent(event: LoggedEvent, message: ReadMessage): void },
): ReplayPosition {
  let state: FoldState = from;
  for (const message of messages) {
    if (message.offset >= end) break;
    const taken = takeMessage(state, message);
    state = taken.state;
    if (taken.entry?.kind === 'event') onEvent(taken.entry.event, message);
  }
  const { token, sequence, sealed } = state;
  return { ...from, token, sequence, sealed, offset: nextOffset };
}
