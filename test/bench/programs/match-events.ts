// The dispatcher's matching without its other parts: messages of the log in memory, batches discarded.
import {
  enqueuePortion,
  type QueuePosition,
} from '../../../services/dispatcher/window/enqueue-portion.ts';
import { createDirectory, type Directory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import type { ReadPartition } from '../../../shared/kafka/read-partitions.ts';
import { openLogPartition } from '../log-partition.ts';
import type { MatchFigures, MatchLoad, MatchRequest } from '../matching/bench-matching.ts';
import {
  definitionEvents,
  fieldChange,
  type WatchedField,
  watchedFields,
} from '../watched-fields.ts';
import { webhookEvent } from '../webhook-events.ts';
import { serveParent } from './serve-parent.ts';

const ENTITY_TYPES = 200;
const FIELDS = 10_000;
const PARTITIONS = 4;
/** Approximately what one read of the queue returns per partition. */
const EVENTS_PER_PARTITION = 700;
const PORTIONS = 20;
const secretKey = '0'.repeat(64);
const fields = watchedFields(FIELDS, ENTITY_TYPES);

type Portion = Parameters<typeof enqueuePortion>[1];

interface Prepared {
  readonly directory: Directory;
  readonly portions: readonly Portion[];
  turn: number;
}

const prepared = new Map<string, Prepared>();

serveParent(async ({ load, measuredMs }: MatchRequest): Promise<MatchFigures> => {
  const key = JSON.stringify(load);
  const ready = prepared.get(key) ?? prepare(load);
  prepared.set(key, ready);
  const begin = performance.now();
  const until = begin + measuredMs;
  let events = 0;
  let matches = 0;
  while (performance.now() < until) {
    const portion = matchNext(ready);
    events += portion.taken;
    for (const batch of portion.batches) matches += batch.events.length;
  }
  const seconds = (performance.now() - begin) / 1000;
  return { perSecond: Math.round(events / seconds), matchesPerEvent: matches / events };
});

function matchNext(ready: Prepared): ReturnType<typeof enqueuePortion> {
  const portion = ready.portions[ready.turn++ % ready.portions.length];
  if (portion === undefined) throw new Error('there is nothing to match');
  const limits = { events: Number.POSITIVE_INFINITY, batchSize: 50 };
  const matched = enqueuePortion(ready.directory, portion, { limits, now: Date.now() });
  if (matched.taken !== EVENTS_PER_PARTITION * PARTITIONS) {
    throw new Error(`${matched.taken} events matched a webhook`);
  }
  return matched;
}

function prepare({ webhooks, webhooksPerField, changedFields }: MatchLoad): Prepared {
  const directory = createDirectory(stockDefinitions);
  for (const event of definitionEvents(fields)) directory.apply(event);
  for (let number = 0; number < webhooks; number++) {
    const watched = nth(fields, Math.floor(number / webhooksPerField));
    directory.apply(
      webhookEvent({
        id: `webhook-${number}`,
        type: 'fieldUpdate',
        url: 'https://receiver.example/',
        partitions: PARTITIONS,
        secretKey,
        ...watched,
      }),
    );
  }
  const changed = fields.slice(0, changedFields);
  const portions = Array.from({ length: PORTIONS }, (_, index) => toPortion(changed, index));
  return { directory, portions, turn: 0 };
}

function toPortion(changed: readonly WatchedField[], index: number): Portion {
  return Array.from({ length: PARTITIONS }, (_, partition) => {
    const log = openLogPartition();
    for (let event = 0; event < EVENTS_PER_PARTITION; event++) {
      const number = (index * EVENTS_PER_PARTITION + event) * PARTITIONS + partition;
      const text = `On its way, number ${number}`;
      log.add(fieldChange(nth(changed, number), { number, text }));
    }
    return toRead(partition, log.take());
  });
}

function toRead(
  partition: number,
  written: ReturnType<ReturnType<typeof openLogPartition>['take']>,
): Portion[number] {
  const from: QueuePosition = { topic: 'records', partition, offset: 0n, ...emptyFold };
  const messages = written.map(({ key, value }, offset) => ({
    key,
    value,
    offset: BigInt(offset),
    timestamp: 0,
    proof: 'none' as const,
  }));
  const found: ReadPartition = { ...from, messages, nextOffset: BigInt(messages.length) };
  return { from, found };
}

function nth<Entry>(entries: readonly Entry[], index: number): Entry {
  const entry = entries[index % entries.length];
  if (entry === undefined) throw new Error('watched fields are missing');
  return entry;
}
