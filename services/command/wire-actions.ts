import type { Pool } from 'pg';
import { findCommandKeys } from '../../shared/db/find-command.ts';
import { readRecordState } from '../../shared/db/read-record-state.ts';
import { commandKey } from '../../shared/domain/record/command-key.ts';
import { runPeriodically } from '../../shared/runtime/run-periodically.ts';
import { findIds } from '../../shared/search/find-ids.ts';
import { finishConversions } from './conversion/finish-conversions.ts';
import { requirePossibleId } from './forwarding/append.ts';
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
import type { LinkForeignDeps } from './records/link-foreign.ts';
import type { RestoreDeps } from './records/restore-record.ts';
import { recordReader } from './stream/read-following.ts';
import type { SenderDeps } from './wire-deps.ts';

/** Wires the dependencies of actions over several records, beyond those of single writes. */
export function wireActions(
  given: SenderDeps,
): Omit<MassActionRouteDeps & FollowDeps & RestoreDeps & LinkForeignDeps, keyof SenderDeps> {
  const { config, directory, lifecycle, pool, searchPool, timeoutMs } = given;
  const untilCaughtUp = createUntilCaughtUp(given);
  const readState: FollowDeps['readState'] = async (model, id) => {
    requirePossibleId(id);
    return readRecordState(pool, { model, id }, directory.entity);
  };
  const readMassAction = async (id: string) => {
    const model = directory.entity(massActionType);
    return model && readState(model, id);
  };
  const massActionWorker = createMassActionWorker({
    ...given,
    untilCaughtUp,
    readRecord: recordReader(pool, directory),
    readMassAction,
    findDone: (actorId, commandIds) => findDone(pool, actorId, commandIds),
  });
  lifecycle.opened('mass actions', massActionWorker.close);
  const following: Omit<FollowDeps, keyof SenderDeps> = {
    untilCaughtUp,
    readState,
    findReferring: (holder, relinking) => findReferring(pool, holder, relinking),
  };
  const deps = { ...given, ...following };
  keepFinishing(deps);
  return {
    ...following,
    endMergesOf: (command) => endMergesOf(command, deps),
    massActionWorker,
    maxRecords: config.maxMassActionRecords,
    async findIds(search) {
      await untilCaughtUp(Date.now() + timeoutMs);
      return findIds({ pool: searchPool.of(search.actor), findModel: directory.entity }, search);
    },
    readMassAction,
  };
}

/** Completes conversions and merges that were decided and not carried out. */
function keepFinishing(deps: FinishDeps & Pick<SenderDeps, 'lifecycle'>): void {
  const { lifecycle, log } = deps;
  for (const [what, look] of [
    ['conversions', async () => finishConversions(deps)],
    ['merges', async () => finishMerges(deps)],
  ] as const) {
    lifecycle.opened(`unfinished ${what}`, runPeriodically(look, { log, what }).close);
  }
}

async function findDone(
  pool: Pool,
  actorId: string,
  commandIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const keyOf = (id: string) => commandKey(actorId, id);
  const found = await findCommandKeys(pool, commandIds.map(keyOf));
  return new Set(commandIds.filter((id) => found.has(keyOf(id))));
}
