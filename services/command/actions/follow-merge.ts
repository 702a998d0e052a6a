import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { systemAdministrator } from '../forward/execute-forwarded.ts';
import type { RouteCommand, RoutedCommand } from '../forward/route-commands.ts';
import type { MergePlan } from './merge-plan.ts';
import { type Relinking, referrersIn } from './relink-record.ts';

export interface FollowDeps {
  readonly directory: Directory;
  readonly route: RouteCommand;
  readonly readState: (model: EntityModel, id: string) => Promise<RecordState | undefined>;
  /** Ids of live records of a type that refer to one of these: the first ones after an id. */
  readonly findReferring: (
    holder: EntityModel,
    relinking: Relinking,
    after: string,
  ) => Promise<readonly string[]>;
}

/** A merge that was decided. */
export interface DecidedMerge {
  readonly model: EntityModel;
  readonly targetId: string;
  readonly plan: MergePlan;
}

/**
 * Does what is left of a merge: leads to the target what refers to the sources, then deletes these. Each step changes
 * nothing if it was done before, so it does not matter who does it, how often, or where a crash interrupted it. Whoever
 * could decide the merge need not be allowed to change what refers to the sources.
 */
export async function followMerge(
  merge: DecidedMerge,
  deadline: number,
  deps: FollowDeps,
): Promise<void> {
  const { model, plan, targetId } = merge;
  if (plan.sourceIds.length === 0) return;
  const actor = actorOf(plan, deps.directory);
  const command = { actor, model, conditions: {}, deadline, untilReadable: true };
  const unnamed = { ...command, commandId: null, commandHash: null };
  const relinking = { entityType: model.name, from: plan.sourceIds, to: targetId };
  for (const holder of deps.directory.entities()) {
    await relinkAll({ ...unnamed, model: holder }, relinking, deps);
  }
  let isWhole = true;
  for (const id of plan.sourceIds) {
    const key = `merge-${plan.id}-${id}`;
    const named = { ...command, commandId: key, commandHash: key };
    const isGone = await removeSource(
      { ...named, action: 'merge-away', id, body: { ...plan } },
      deps,
    );
    isWhole &&= isGone;
  }
  if (isWhole) return;
  await deps.route({ ...unnamed, action: 'merge-end', id: targetId, body: { ...plan } });
}

function actorOf({ actorId }: MergePlan, directory: Directory): Actor {
  const user = directory.record('User', actorId);
  return user === undefined ? systemAdministrator : directory.actor(user);
}

type Relink = Omit<RoutedCommand, 'action' | 'id' | 'body'>;

async function relinkAll(
  command: Relink,
  relinking: Relinking,
  { route, findReferring }: FollowDeps,
): Promise<void> {
  const { model } = command;
  if (model.definition.log !== 'records') return;
  if (referrersIn(model, relinking.entityType).length === 0) return;
  let last: string | undefined = '';
  while (last !== undefined) {
    const ids = await findReferring(model, relinking, last);
    await Promise.all(
      ids.map(async (id) =>
        unlessGone(route({ ...command, action: 'relink', id, body: { ...relinking } })),
      ),
    );
    last = ids.at(-1);
  }
}

/** False for one that was kept. */
async function removeSource(command: RoutedCommand, { route }: FollowDeps): Promise<boolean> {
  try {
    await unlessGone(route(command));
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'conflict') return false;
    throw error;
  }
}

/** Does nothing where the record is gone by now. */
export async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'not_found') throw error;
  }
}
