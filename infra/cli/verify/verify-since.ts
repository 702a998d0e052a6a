import pg, { type Client } from 'pg';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { RecordFilter } from './buckets.ts';
import { comparePositions, compareRecords, compareRejected } from './compare-tables.ts';
import { copyRows } from './copied-rows.ts';
import { Differences } from './difference.ts';
import { decodeEvent, type EarlierEvent, expectRecords } from './expect-records.ts';
import { findStarts } from './find-starts.ts';
import { foldLog, type LogSource } from './fold-log.ts';
import type { QuarantinedRecord, Rejected } from './load-rejected.ts';
import type { VerifyResult } from './verify-result.ts';

interface SinceDeps extends LogSource {
  readonly ends: readonly ProjectedPosition[];
  /** A client in a transaction with one snapshot of the database. */
  readonly client: Client;
  readonly model: (entityType: string) => EntityModel | undefined;
  readonly models: readonly EntityModel[];
  readonly rejected: Rejected;
  /** In milliseconds since 1970. */
  readonly since: number;
}

/** The names of all changed records are kept in memory. */
const MAX_RECORDS = 200_000;
/** The states of this many records are kept in memory. */
const RECORDS_AT_ONCE = 20_000;

/**
 * Compares the entries of the log since a time, and the records that they changed: these records completely, with
 * their earlier events from the history. Counts are not compared, because they depend on the whole log.
 */
export async function verifySince(deps: SinceDeps): Promise<VerifyResult> {
  const { client, kafka, ends, model, models, rejected } = deps;
  const starts = await findStarts(kafka, ends, deps.since);
  const source = { ...deps, starts };
  const { changed, folds, healed, ...folded } = await findChanged(source);
  const differences = new Differences();
  const expectedRejected = new Set(folded.rejected);
  const quarantined: QuarantinedRecord[] = [];
  for (let at = 0; at < changed.length; at += RECORDS_AT_ONCE) {
    const chunk = changed.slice(at, at + RECORDS_AT_ONCE);
    const records = recordsNamed(chunk.map(({ key }) => key));
    const base = readEarlier(client, records, new Map(chunk.map(({ key, first }) => [key, first])));
    const expected = await expectRecords({ ...source, model, records, rejected, base });
    await compareRecords({ client, records, differences }, models, expected);
    for (const place of expected.impossible) expectedRejected.add(place);
    for (const place of expected.held) expectedRejected.add(place);
    quarantined.push(...expected.quarantined);
  }
  await comparePositions({ client, differences }, folds);
  const foundRejected = [...rejected.places].filter((place) => isSince(place, starts));
  compareRejected({ differences }, expectedRejected, new Set(foundRejected));
  return {
    differences: differences.total,
    list: differences.list,
    events: folded.events,
    records: changed.length,
    ...(quarantined.length > 0 && { quarantined }),
    ...(healed.length > 0 && { damaged: healed }),
  };
}

interface ChangedRecord {
  /** `Type/id`. */
  readonly key: string;
  /** The version of its first event since the time. */
  readonly first: number;
}

async function findChanged(source: LogSource) {
  const first = new Map<string, number>();
  const rejected = new Set<string>();
  let events = 0;
  const folded = await foldLog(source, (taken, { offset }, at) => {
    if (taken.entry === undefined) {
      if (taken.leftOut !== 'superseded') rejected.add(`${at.topic}/${at.partition}/${offset}`);
      return;
    }
    if (taken.entry.kind === 'fence') return;
    const { entityType, recordId, version } = taken.entry.event;
    events += 1;
    const key = `${entityType}/${recordId}`;
    if (!first.has(key)) first.set(key, version);
    if (first.size > MAX_RECORDS) throw tooMany();
  });
  const changed = [...first].map(([key, version]): ChangedRecord => ({ key, first: version }));
  return { ...folded, changed, rejected, events };
}

function tooMany(): OperatorError {
  const most = counted(MAX_RECORDS, 'record');
  return new OperatorError(
    `More than ${most} changed since this time: use a later time, or run annals verify without --since.`,
  );
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

/** Yields the events in the history before the first one since the time. */
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

/** Returns whether the entry at `topic/partition/offset` is not before the start of its partition. */
function isSince(
  place: string,
  starts: ReadonlyMap<string, { readonly offset: bigint; readonly state: FoldState }>,
): boolean {
  const at = place.lastIndexOf('/');
  const start = starts.get(place.slice(0, at));
  return start === undefined || BigInt(place.slice(at + 1)) >= start.offset;
}
