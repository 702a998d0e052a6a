import pg, { type Client } from 'pg';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { tryDecode } from '../../../shared/events/decode-readable.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import type { Fence, LogEntry } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { offsetSince, type ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { readUpTo } from '../partition-entries.ts';
import type { RecordFilter } from './buckets.ts';
import { comparePositions, compareRecords, compareRejected } from './compare-tables.ts';
import { copyRows } from './copied-rows.ts';
import { decodeEvent, type EarlierEvent, expectRecords } from './expect-records.ts';
import { foldLog, foldRead, type LogSource } from './fold-log.ts';
import type { QuarantinedRecord } from './load-rejected.ts';
import type { Verification, VerifyResult } from './verification.ts';

/** Limited, because the types and ids of all changed records are held in memory. */
const MAX_RECORDS = 200_000;
/** The number of records whose states are held in memory at a time. */
const RECORDS_AT_ONCE = 20_000;

/**
 * Compares the log entries from a time on, in milliseconds since 1970, and the records that they changed. These records
 * are compared completely, using their earlier events from the history. Counts are not compared, because they depend on
 * the whole log.
 */
export async function verifySince(whole: Verification, since: number): Promise<VerifyResult> {
  const { client, kafka, ends, rejected, differences } = whole;
  const starts = await findStarts(kafka, ends, since);
  const verification = { ...whole, starts };
  const { changed, folds, healed, ...folded } = await findChanged(verification);
  const expectedRejected = new Set(folded.rejected);
  const quarantined: QuarantinedRecord[] = [];
  for (let at = 0; at < changed.length; at += RECORDS_AT_ONCE) {
    const chunk = changed.slice(at, at + RECORDS_AT_ONCE);
    const records = recordsNamed(chunk.map(([key]) => key));
    const base = readEarlier(client, records, new Map(chunk));
    const expected = await expectRecords(verification, records, base);
    await compareRecords(verification, records, expected);
    for (const place of expected.impossible) expectedRejected.add(place);
    for (const place of expected.held) expectedRejected.add(place);
    quarantined.push(...expected.quarantined);
  }
  await comparePositions(verification, folds);
  const foundRejected = [...rejected.places].filter((place) => isSince(place, starts));
  compareRejected(differences, expectedRejected, new Set(foundRejected));
  return {
    differences: differences.total,
    list: differences.list,
    events: folded.events,
    records: changed.length,
    ...(quarantined.length > 0 && { quarantined }),
    ...(healed.length > 0 && { damaged: healed }),
  };
}

/** Finds the changed records, as `Type/id`, and the version of the first event of each. */
async function findChanged(source: LogSource) {
  const first = new Map<string, number>();
  let events = 0;
  const folded = await foldLog(source, ({ entityType, recordId, version }) => {
    events += 1;
    const key = `${entityType}/${recordId}`;
    if (!first.has(key)) first.set(key, version);
    if (first.size <= MAX_RECORDS) return;
    throw new OperatorError(
      `More than ${counted(MAX_RECORDS, 'record')} changed since this time: use a later time, or run annals verify without --since.`,
    );
  });
  return { ...folded, changed: [...first], events };
}

function recordsNamed(keys: readonly string[]): RecordFilter {
  const names = new Set(keys);
  const ids = new Set(keys.map((key) => key.slice(key.indexOf('/') + 1)));
  const list = [...ids].map((id) => pg.escapeLiteral(id)).join(', ');
  return {
    has: (entityType, id) => names.has(`${entityType}/${id}`),
    sql: (_entityType, id) => `${id} in (${list})`,
  };
}

/** Yields each record's events in the history that precede its first event after the given time. */
async function* readEarlier(
  client: Client,
  records: RecordFilter,
  first: ReadonlyMap<string, number>,
): AsyncGenerator<readonly EarlierEvent[]> {
  const history = copyRows(
    client,
    `select entity_type, record_id, version, event from ${liveSchema}.record_history
     where ${records.sql('entity_type', 'record_id')} order by record_id, version`,
  );
  for await (const rows of history) {
    yield rows.flatMap(([type, id, version, bytes]) => {
      const isEarlier = (version?.readInt32BE() ?? 0) < (first.get(`${type}/${id}`) ?? 0);
      const event = bytes && isEarlier ? decodeEvent(bytes) : undefined;
      return event === undefined || bytes == null ? [] : [{ event, bytes }];
    });
  }
}

/** Returns true if the entry at `topic/partition/offset` is at or after the starting position of its partition. */
function isSince(place: string, starts: NonNullable<LogSource['starts']>): boolean {
  const at = place.lastIndexOf('/');
  const start = starts.get(place.slice(0, at));
  return start === undefined || BigInt(place.slice(at + 1)) >= start.offset;
}

/**
 * Returns the position at which each partition reaches this time, and the fold state there. The log does not contain
 * the state. It is derived from the state at the end and the fences in between, each of which names its predecessor.
 */
async function findStarts(
  kafka: KafkaConnection,
  ends: readonly ProjectedPosition[],
  time: number,
): Promise<NonNullable<LogSource['starts']>> {
  const starts = new Map<string, { offset: bigint; state: FoldState }>();
  for (const end of ends) {
    const found = await offsetSince(kafka, end, time);
    const offset = found === undefined || found > end.offset ? end.offset : found;
    const state = await findState(kafka, end, offset);
    starts.set(`${end.topic}/${end.partition}`, { offset, state });
  }
  return starts;
}

async function findState(
  kafka: KafkaConnection,
  end: ProjectedPosition,
  start: bigint,
): Promise<FoldState> {
  const fences: Fence[] = [];
  /** The sequence number of the first event, by token. */
  const first = new Map<string, number>();
  for await (const { messages } of readUpTo(kafka, end, { start, options: foldRead })) {
    for (const entry of messages.flatMap(toEntry)) {
      if (entry.kind === 'fence') fences.push(entry.fence);
      else if (!first.has(entry.event.token)) first.set(entry.event.token, entry.event.sequence);
    }
  }
  const token = fences
    .toReversed()
    .reduce(
      (valid, fence) => (fence.token === valid ? fence.prevToken : valid),
      lastToken(fences, first, end),
    );
  const next = token === null ? 1 : first.get(token);
  // If no event has this token, the sequence is the same as at the end, or does not matter.
  return { token, sequence: next === undefined ? end.sequence : next - 1, sealed: end.sealed };
}

/**
 * Returns the token at the position. If the log does not contain this token, returns the last token in the log; folding
 * then shows that the position is wrong.
 */
function lastToken(
  fences: readonly Fence[],
  first: ReadonlyMap<string, number>,
  { token }: ProjectedPosition,
): string | null {
  const found = [...first.keys(), ...fences.map((fence) => fence.token)];
  if (found.length === 0 || (token !== null && found.includes(token))) return token;
  return fences.at(-1)?.token ?? found.at(-1) ?? null;
}

function toEntry(message: ReadMessage): readonly LogEntry[] {
  const entry = tryDecode(message, decodeLogEntry);
  return entry instanceof UnreadableMessage ? [] : [entry];
}
