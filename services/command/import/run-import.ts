/**
 * Carries out an import that was decided.
 *
 *   leased ──each slice──▶ matched ──each row──▶ written, or rejected ──all──▶ ended, with counts and a file
 *     │                       ▲                      │                          ▲
 *     │                       └── tables caught up ──┘                          │
 *     ├── cancelled, its user lost the permission, or too many rows rejected ───┘
 *     └── lost: no further row is started; the next holder of the lease continues
 *
 * The lease is that of mass actions. Every row has a key, so a runner that takes over skips the rows that its
 * predecessor wrote according to the log, and no row is written twice. Rows that may be the same record wait for each
 * other. A dry run takes the same path without the writes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { requireActingUser } from '../../../shared/domain/directory/acting-user.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { ImportResult } from '../../../shared/domain/import/import-result.ts';
import { commandKey } from '../../../shared/domain/record/command-key.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { stepPrefix } from '../../../shared/domain/record/step-key.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { forEachParallel } from '../../../shared/runtime/limit-concurrency.ts';
import { Interrupted, Lease, LeaseLost } from '../mass-actions/lease.ts';
import { type FinalStatus, massActionKey, plannedIn } from '../mass-actions/mass-action.ts';
import { type Run, type RunContext, takeStep } from '../mass-actions/run-mass-action.ts';
import type { Conversion } from './convert-row.ts';
import { findDuplicateIds } from './find-duplicate-ids.ts';
import { keysOf, splitRepeats } from './find-repeats.ts';
import { openImportFile } from './import-file.ts';
import { type ImportPlan, requireImporting } from './import-plan.ts';
import { emptyTally, type ImportTally, toRejection, toResult } from './import-tally.ts';
import {
  type ImportWork,
  type MatchedRow,
  type PreparedRows,
  prepareRows,
} from './prepare-rows.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import { createLocalTimes, type LocalTimes } from './read-local-time.ts';
import { saveRejectedFiles } from './rejected-file.ts';
import { candidateOf, checkRow, decideRow, type RowDecision, writeRow } from './write-row.ts';

/** Maximum number of rows that one import writes concurrently. */
const PARALLEL_ROWS = 48;
/** The number of rows that are converted without giving way to other requests. */
const CANDIDATES_AT_ONCE = 50;
/** An import with more rejected rows has a wrong mapping. The limit also bounds the memory for the reasons. */
const MAX_REJECTED = 10_000;

const noFiles = { rejectedFileId: null, errorsFileId: null };

interface Progress extends RunContext {
  readonly importId: string;
  readonly userId: string;
  readonly entityType: string;
  readonly plan: ImportPlan;
  readonly times: LocalTimes;
  readonly isTakenOver: boolean;
  readonly lease: Lease;
  readonly tally: ImportTally;
  /** Keys of the records that a dry run would have created. */
  readonly planned: Set<string>;
}

/** Runs an import. Resolves with its record, which has not ended if the lease was lost. */
export async function runImport(run: Run, context: RunContext): Promise<RecordState> {
  const { state, runner, isTakenOver } = run;
  const tally = emptyTally();
  const lease = new Lease(state, {
    ...context,
    runner,
    renew: async () =>
      takeStep(context, state.id, { kind: 'renew', runner, processedCount: tally.tried }),
    look: async () => context.readMassAction(state.id),
  });
  const progress = {
    ...context,
    ...importIn(state),
    isTakenOver,
    lease,
    tally,
    planned: new Set<string>(),
  };
  const end = async (final: FinalStatus, result: ImportResult) => {
    const { created, updated } = result;
    // A dry run has nothing to undo.
    const processedCount = progress.plan.isDryRun ? 0 : created + updated;
    const outcome = { ...final, processedCount, skippedIds: [], result: JSON.stringify(result) };
    return lease.persist(async () =>
      takeStep(context, state.id, { kind: 'end', runner, ...outcome }),
    );
  };
  try {
    const final = await importUntilEnd(progress);
    return await end(final, await lease.persist(async (until) => resultOf(progress, until)));
  } catch (error) {
    if (error instanceof LeaseLost) return state;
    // A second failure is ignored: the first one is thrown.
    await end({ status: 'Failed' }, toResult(tally, tally, noFiles)).catch(() => undefined);
    throw error;
  } finally {
    await lease.close();
  }
}

function importIn(state: RecordState) {
  const plan: ImportPlan = JSON.parse(String(state.values['data']));
  return {
    importId: state.id,
    userId: String(state.values['createdById']),
    entityType: plannedIn(state).entityType,
    plan,
    times: createLocalTimes(plan),
  };
}

async function importUntilEnd(progress: Progress): Promise<FinalStatus> {
  const { plan, lease, untilCaughtUp } = progress;
  try {
    // Matches and finished rows are read from Postgres, so Postgres must have all earlier writes.
    await lease.persist(untilCaughtUp);
    for await (const rows of readCsv(openImportFile(progress, plan), plan)) {
      await importSlice(rows, progress);
    }
    return { status: 'Success' };
  } catch (error) {
    if (error instanceof Interrupted) return error.final;
    throw error;
  }
}

async function importSlice(rows: readonly CsvRow[], progress: Progress): Promise<void> {
  const { isTakenOver, lease, plan, tally } = progress;
  workNow(progress);
  const left = isTakenOver ? await withoutDone(rows, progress) : rows;
  tally.tried += rows.length - left.length;
  let waiting: readonly CsvRow[] = left.filter((row) => !isUnreadable(row, progress));
  // Each round finds the records of the earlier ones.
  while (waiting.length > 0) {
    const { first, repeated } = splitRepeats(waiting, plan);
    const { created } = tally;
    await importRows(first, progress);
    if (repeated.length === 0 || tally.created > created) await catchUp(progress);
    waiting = repeated;
  }
  lease.requireHeld();
}

/** Waits until the next rows can match the rows so far. This also bounds the projector's lag. */
async function catchUp({ lease, plan, untilCaughtUp }: Progress): Promise<void> {
  if (!plan.isDryRun) await lease.persist(untilCaughtUp);
}

/** Returns the current actor, model and plan. Throws if the import was cancelled or its user may no longer import. */
function workNow({ directory, entityType, lease, plan, userId }: Progress): ImportWork {
  lease.requireWanted();
  const model = directory.entity(entityType);
  // The custom entity type was removed.
  if (model === undefined) throw new Interrupted({ status: 'Failed', reason: 'entity.unknown' });
  try {
    const actor = requireActingUser(directory, userId);
    requireImporting(actor, model);
    return { actor, model, plan };
  } catch (error) {
    if (error instanceof Refusal) throw new Interrupted({ status: 'Stopped', reason: error.code });
    throw error;
  }
}

/** Returns the key of a row. That of a duplicate has a suffix, by which lists find the duplicates. */
function keyOf(importId: string, index: number, isDuplicate: boolean): string {
  return massActionKey(importId, `${index}${isDuplicate ? 'd' : ''}`);
}

/** Returns the rows that a predecessor has not written. */
async function withoutDone(
  rows: readonly CsvRow[],
  { findDone, importId, lease, userId }: Progress,
): Promise<readonly CsvRow[]> {
  const keys = rows.flatMap(({ index }) => [
    keyOf(importId, index, false),
    keyOf(importId, index, true),
  ]);
  const done = await lease.persist(async () => findDone(userId, keys));
  return rows.filter(
    ({ index }) =>
      !done.has(keyOf(importId, index, false)) && !done.has(keyOf(importId, index, true)),
  );
}

/** Rejects rows with a NUL, which Postgres cannot search for. */
function isUnreadable({ index, cells }: CsvRow, progress: Progress): boolean {
  if (!cells.some((cell) => cell.includes('\0'))) return false;
  reject(
    index,
    new Refusal('invalid', 'import.text', 'The row contains a NUL character.'),
    progress,
  );
  return true;
}

function reject(index: number, refusal: Refusal, { tally }: Progress): void {
  tally.tried += 1;
  tally.rejected.set(index, toRejection(refusal));
  if (tally.rejected.size < MAX_REJECTED) return;
  throw new Interrupted({ status: 'Stopped', reason: 'import.too_many_rejected' });
}

async function importRows(rows: readonly CsvRow[], progress: Progress): Promise<void> {
  const { lease } = progress;
  const prepared = await lease.persist(async () => prepareRows(rows, workNow(progress), progress));
  const { findLinked } = prepared;
  const duplicates = await lease.persist(async () => findDuplicates(prepared, progress));
  await forEachParallel(prepared.rows, PARALLEL_ROWS, async (row) => {
    try {
      const duplicateId = duplicates.get(row.index);
      await importRow({ ...row, duplicateId }, findLinked, progress);
      progress.tally.tried += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The user may have been deactivated while the row waited. This ends the import instead of rejecting the row.
      workNow(progress);
      reject(row.index, error, progress);
    }
  });
}

/** Returns the ids of existing records that are duplicates of rows, by the index of the row. */
async function findDuplicates(
  { rows, findLinked }: PreparedRows,
  progress: Progress,
): Promise<ReadonlyMap<number, string>> {
  if (progress.plan.duplicates === 'ignore') return new Map();
  const work = workNow(progress);
  const conversion = { ...work, times: progress.times, findLinked };
  const candidates: { readonly index: number; readonly values: AttributeValues }[] = [];
  for (const [place, row] of rows.entries()) {
    // Other requests have their turn in between.
    if (place % CANDIDATES_AT_ONCE === 0) await nextTurn();
    const values = candidateOf(row, conversion, progress);
    if (values !== undefined) candidates.push({ index: row.index, values });
  }
  const values = candidates.map((candidate) => candidate.values);
  const ids = await findDuplicateIds(progress, work, values);
  return new Map(
    candidates.flatMap(({ index }, place) => {
      const id = ids[place];
      return id === undefined ? [] : [[index, id] as const];
    }),
  );
}

async function importRow(
  row: MatchedRow & { readonly duplicateId: string | undefined },
  findLinked: Conversion['findLinked'],
  progress: Progress,
): Promise<void> {
  const { inTurn, lease, plan, planned, tally, times } = progress;
  if (plan.isDryRun && keysOf(row, plan).some((key) => planned.has(key)))
    return countRepeat(row, progress);
  const decision = decideRow(row, { ...workNow(progress), times, findLinked });
  if (decision.kind === 'skip') {
    tally.skipped.add(row.index);
    return;
  }
  const outcome = plan.isDryRun
    ? await lease.persist(async () =>
        inTurn(async () => checkRow(decision, workNow(progress), progress)),
      )
    : await writeUntilKnown(row.index, decision, progress);
  tally[outcome] += 1;
  if (outcome !== 'created') return;
  if (decision.kind === 'create' && decision.isDuplicate) tally.duplicates += 1;
  if (plan.isDryRun) for (const key of keysOf(row, plan)) planned.add(key);
}

/** Counts a row of a dry run that an import would match with the record of an earlier row. */
function countRepeat({ index }: MatchedRow, { plan, tally }: Progress): void {
  if (plan.updateBy.length > 0 || plan.duplicates === 'update') tally.updated += 1;
  else if (plan.duplicates === 'skip') tally.skipped.add(index);
  else {
    tally.created += 1;
    tally.duplicates += 1;
  }
}

/** Writes a row until the log has it or rejects it. */
async function writeUntilKnown(
  index: number,
  decision: Exclude<RowDecision, { readonly kind: 'skip' }>,
  progress: Progress,
) {
  const { findDone, importId, inTurn, isTakenOver, lease, now, timeoutMs, untilCaughtUp, userId } =
    progress;
  const isDuplicate = decision.kind === 'create' && decision.isDuplicate;
  const commandId = keyOf(importId, index, isDuplicate);
  let attempts = 0;
  try {
    return await lease.persist(async () =>
      inTurn(async () => {
        const work = workNow(progress);
        attempts += 1;
        const isFirstAttempt = attempts === 1 && !isTakenOver;
        const deadline = Math.min(now() + timeoutMs, lease.requireHeld());
        return writeRow(decision, { ...work, commandId, isFirstAttempt, deadline }, progress);
      }),
    );
  } catch (error) {
    // An attempt with an unknown outcome may have succeeded.
    if (!(error instanceof Refusal) || attempts < 2) throw error;
    const isDone = await lease.persist(async (until) => {
      await untilCaughtUp(until);
      return (await findDone(userId, [commandId])).has(commandId);
    });
    if (!isDone) throw error;
    return decision.kind === 'create' ? 'created' : 'updated';
  }
}

/** Counts the written rows in the log, because a predecessor may have written some, and stores the rejected rows. */
async function resultOf(progress: Progress, until: number): Promise<ImportResult> {
  const { directory, entityType, importId, now, plan, tally, timeoutMs, userId } = progress;
  const written = plan.isDryRun ? tally : await countWritten(progress, until);
  try {
    const actor = requireActingUser(directory, userId);
    const model = directory.entity(entityType);
    // The custom entity type was removed.
    if (model === undefined) return toResult(tally, written, noFiles);
    const commandId = massActionKey(importId, 'rejected');
    const deadline = Math.min(now() + timeoutMs, until);
    const file = { actor, model, plan, tally, commandId, deadline };
    return toResult(tally, written, await saveRejectedFiles(progress, file));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The user was deactivated, and cannot read the file.
    return toResult(tally, written, noFiles);
  }
}

async function countWritten(
  { entityType, importId, pool, untilCaughtUp, userId }: Progress,
  until: number,
): Promise<Pick<ImportResult, 'created' | 'updated' | 'duplicates'>> {
  await untilCaughtUp(until);
  const { rows } = await orUnavailable(
    pool.query<Pick<ImportResult, 'created' | 'updated' | 'duplicates'>>(
      `select count(*) filter (where version = 1)::float8 as created,
         count(*) filter (where version > 1)::float8 as updated,
         count(*) filter (where right(command_id, 1) = 'd')::float8 as duplicates
       from ${liveSchema}.record_history where command_id ^@ $1 and entity_type = $2`,
      [commandKey(userId, stepPrefix('mass', importId)), entityType],
    ),
  );
  return rows[0] ?? { created: 0, updated: 0, duplicates: 0 };
}
