import type { Pool } from 'pg';
import { findCommandKeys } from '../../shared/db/find-command.ts';
import { readRecordState } from '../../shared/db/read-record-state.ts';
import { commandKey } from '../../shared/domain/record/command-key.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { endOffset } from '../../shared/kafka/read-partitions.ts';
import { keepLooking } from '../../shared/runtime/keep-looking.ts';
import { findIds } from '../../shared/search/find-ids.ts';
import { finishConversions } from './conversion/finish-conversions.ts';
import { requirePossibleId } from './forwarding/append.ts';
import type { SendToOwner } from './forwarding/send-to-owner.ts';
import { createUntilCaughtUp } from './forwarding/until-caught-up.ts';
import { massActionType } from './mass-actions/mass-action.ts';
import type { MassActionRouteDeps } from './mass-actions/mass-action-routes.ts';
import { createMassActionWorker } from './mass-actions/mass-action-worker.ts';
import {
  endMergesOf,
  type FinishDeps,
  findReferring,
  finishMerges,
} from './merge/finish-merges.ts';
import type { FollowDeps } from './merge/follow-merge.ts';
import type { MergeDeps } from './merge/merge-records.ts';
import { linkResolver } from './records/input/creation-checks.ts';
import type { LinkForeignDeps } from './records/link-foreign.ts';
import type { RestoreDeps } from './records/restore-record.ts';
import { recordReader } from './stream/read-following.ts';
import type { CommandDeps } from './wire-deps.ts';

/** Reads the current end offsets of the logs from the broker. */
export interface LogEndReads {
  /** The end offsets of the records log, by partition. */
  readonly recordsEnd: () => Promise<readonly bigint[]>;
  readonly directoryEnd: () => Promise<bigint>;
}

export function wireLogEndReads({
  config,
  kafka,
  lifecycle,
  log,
  partitions,
}: CommandDeps): LogEndReads {
  const { topics } = config;
  const asking = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for offsets', asking.close);
  const recordsEnd = async (_: unknown, partition: number) =>
    endOffset(asking, topics.records, partition);
  return {
    recordsEnd: () => Promise.all(Array.from({ length: partitions }, recordsEnd)),
    directoryEnd: () => endOffset(asking, topics.directory, 0),
  };
}

/** Wires the dependencies of actions over several records, beyond those of single writes. */
export function wireActions(
  deps: CommandDeps,
  { sendToOwner, ends }: { readonly sendToOwner: SendToOwner; readonly ends: LogEndReads },
): Omit<MassActionRouteDeps & MergeDeps & RestoreDeps & LinkForeignDeps, 'newId' | 'now'> {
  const { config, follower, lifecycle, log, pool, projection } = deps;
  const { directory } = follower;
  const { topics, writeTimeoutMs: timeoutMs } = config;
  const untilCaughtUp = createUntilCaughtUp({ projection, topics, ...ends, now: Date.now });
  const readState: FollowDeps['readState'] = async (model, id) => {
    requirePossibleId(id);
    return readRecordState(pool, { model, id }, directory.entity);
  };
  const readMassAction = async (id: string) => {
    const model = directory.entity(massActionType);
    return model && readState(model, id);
  };
  const massActionWorker = createMassActionWorker({
    pool,
    directory,
    sendToOwner,
    untilCaughtUp,
    readRecord: recordReader(pool, directory),
    readMassAction,
    findDone: (actorId, commandIds) => findDone(pool, actorId, commandIds),
    log,
    timeoutMs,
    now: Date.now,
  });
  lifecycle.opened('mass actions', massActionWorker.close);
  const following: FollowDeps = {
    directory,
    sendToOwner,
    untilCaughtUp,
    readState,
    findReferring: (holder, relinking) => findReferring(pool, holder, relinking),
  };
  const finishing = { ...following, pool, log, now: Date.now };
  keepFinishing(finishing, lifecycle);
  return {
    ...following,
    resolveLinks: linkResolver(pool, directory),
    endMergesOf: (command) => endMergesOf(command, finishing),
    isDone: async (actorId, id) => (await findDone(pool, actorId, [id])).has(id),
    massActionWorker,
    maxRecords: config.maxMassActionRecords,
    async findIds(search) {
      await untilCaughtUp(Date.now() + timeoutMs);
      return findIds(
        { pool: deps.searchPool.of(search.actor), findModel: directory.entity },
        search,
      );
    },
    readMassAction,
  };
}

/** Completes conversions and merges that were decided and not carried out. */
function keepFinishing(deps: FinishDeps, lifecycle: CommandDeps['lifecycle']): void {
  const { log } = deps;
  for (const [what, look] of [
    ['conversions', async () => finishConversions(deps)],
    ['merges', async () => finishMerges(deps)],
  ] as const) {
    lifecycle.opened(`unfinished ${what}`, keepLooking(look, { log, what }).close);
  }
}

async function findDone(
  pool: Pool,
  actorId: string,
  commandIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = commandIds.map((id) => [commandKey(actorId, id), id] as const);
  const found = await findCommandKeys(
    pool,
    keys.map(([key]) => key),
  );
  return new Set(keys.flatMap(([key, id]) => (found.has(key) ? [id] : [])));
}
