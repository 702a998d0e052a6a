/**
 * Carries out a mass action that was decided.
 *
 *   leased ──each record──▶ changed, or refused and skipped ──all──▶ ended, with counts
 *     │  ▲
 *     │  └── renewed every five seconds
 *     └── lost: nothing more is begun; whoever takes the lease goes on
 *
 * Commands for records have no time beyond the lease, so that none takes effect when another runner may be at it, or
 * after the end. A runner that takes over counts what the log has of its predecessor.
 */
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { forEachParallel } from '../../../shared/runtime/for-each-parallel.ts';
import type { ReadRecord } from '../commands/read-following.ts';
import { systemAdministrator } from '../forward/execute-forwarded.ts';
import type { RouteCommand } from '../forward/route-commands.ts';
import type { UntilCaughtUp } from '../forward/until-caught-up.ts';
import {
  type MassActionOutcome,
  type MassActionStep,
  massActionKey,
  massActionType,
  plannedIn,
} from './mass-action.ts';
import { massActionKind, type RecordStep } from './mass-action-kinds.ts';
import { Lease, LeaseLost } from './mass-action-lease.ts';
import { massLinkAction, massLinkStep } from './mass-link.ts';

export interface RunDeps {
  readonly directory: Directory;
  readonly route: RouteCommand;
  readonly untilCaughtUp: UntilCaughtUp;
  readonly readRecord: ReadRecord;
  /** Which of these commands of a user were carried out, as far as Postgres knows. */
  readonly findDone: (
    actorId: string,
    commandIds: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** Takes its turn among all that this process does for mass actions. */
  readonly inTurn: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** Who is to carry out what; `state` is that of the mass action. */
export interface Run {
  readonly state: RecordState;
  readonly runner: string;
  /** Somebody else may have begun. */
  readonly isTakenOver: boolean;
}

/** Records of one mass action at the same time. */
const PARALLEL_RECORDS = 32;
const DONE_PER_QUESTION = 1_000;

/** Answers the mass action as it is afterwards: it has not ended if the lease was lost. */
export async function runMassAction(run: Run, deps: RunDeps): Promise<RecordState> {
  const { state, runner } = run;
  const { ids } = plannedIn(state);
  const changed = new Set<string>();
  const lease = new Lease(state, {
    ...deps,
    runner,
    renew: async () =>
      takeStep(deps, state.id, { kind: 'renew', runner, processedCount: changed.size }),
  });
  const end = async (status: MassActionOutcome['status']) => {
    const skippedIds = ids.filter((id) => !changed.has(id));
    const outcome = { status, processedCount: changed.size, skippedIds };
    return lease.persist(async () => takeStep(deps, state.id, { kind: 'end', runner, ...outcome }));
  };
  try {
    const isWhole = await changeRecords(run, { ...deps, ids, lease, changed });
    return await end(isWhole ? 'Success' : 'Failed');
  } catch (error) {
    if (error instanceof LeaseLost) return state;
    // What went wrong first is what people have to hear of.
    await end('Failed').catch(() => undefined);
    throw error;
  } finally {
    await lease.close();
  }
}

/** Changes the record of a mass action, and answers it as it then is. */
export async function takeStep(
  { directory, route, now, timeoutMs }: Pick<RunDeps, 'directory' | 'route' | 'now' | 'timeoutMs'>,
  id: string,
  body: MassActionStep,
): Promise<RecordState> {
  const model = directory.entity(massActionType);
  if (model === undefined) throw new Error('there are no mass actions');
  const { state } = await route({
    action: 'mass-action',
    actor: systemAdministrator,
    model,
    id,
    body: { ...body },
    conditions: {},
    commandId: null,
    commandHash: null,
    deadline: now() + timeoutMs,
    untilReadable: true,
  });
  return state;
}

interface Progress extends RunDeps {
  readonly ids: readonly string[];
  readonly lease: Lease;
  /** Of the ids, those that count. */
  readonly changed: Set<string>;
}

interface Work {
  readonly massActionId: string;
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly data: Readonly<Record<string, unknown>>;
  readonly step: RecordStep;
}

/** False if what the action is about is gone: an entity type of one's own was removed. */
async function changeRecords({ state, isTakenOver }: Run, progress: Progress): Promise<boolean> {
  const { directory, ids, lease, changed } = progress;
  const { entityType, action, data } = plannedIn(state);
  const model = directory.entity(entityType);
  const step = action === massLinkAction ? massLinkStep : massActionKind(action);
  const user = directory.record('User', String(state.values['createdById']));
  if (model === undefined || step === undefined || user === undefined) return false;
  const actor = directory.actor(user);
  const work = { massActionId: state.id, actor, model, data, step };
  if (isTakenOver) await lease.persist(async (until) => countDone(work, until, progress));
  // Who is judged by what Postgres knows is judged by all that was written before.
  else if (step.requireAllowed !== undefined) await lease.persist(progress.untilCaughtUp);
  const left = ids.filter((id) => !changed.has(id));
  await forEachParallel(left, PARALLEL_RECORDS, async (id) => {
    if (await changeRecord(work, id, progress)) changed.add(id);
  });
  return true;
}

/** What a predecessor did counts, whatever the user may do by now. */
async function countDone(
  { massActionId, actor }: Work,
  until: number,
  { ids, changed, findDone, untilCaughtUp }: Progress,
): Promise<void> {
  await untilCaughtUp(until);
  for (let start = 0; start < ids.length; start += DONE_PER_QUESTION) {
    const keys = new Map(
      ids
        .slice(start, start + DONE_PER_QUESTION)
        .map((id) => [massActionKey(massActionId, id), id] as const),
    );
    const done = await findDone(actor.id, [...keys.keys()]);
    for (const [key, id] of keys) if (done.has(key)) changed.add(id);
  }
}

/** False for a record that does not count: it is gone, or its change was refused. */
async function changeRecord(work: Work, id: string, progress: Progress): Promise<boolean> {
  const { massActionId, actor, model, data, step } = work;
  const { directory, lease, route, inTurn, now, timeoutMs, untilCaughtUp, findDone } = progress;
  const commandId = massActionKey(massActionId, id);
  let attempts = 0;
  try {
    await lease.persist(async () =>
      inTurn(async () => {
        attempts += 1;
        await requireAllowed(work, id, progress);
        await route({
          actor,
          model,
          id,
          ...step.command(data, { actor, model, id }, directory.entity),
          conditions: {},
          commandId,
          commandHash: commandId,
          deadline: Math.min(now() + timeoutMs, lease.requireHeld()),
          untilReadable: true,
        });
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (attempts === 1) return false;
    // An earlier attempt, of which no answer came, may have been carried out.
    return lease.persist(async (until) => {
      await untilCaughtUp(until);
      return (await findDone(actor.id, [commandId])).has(commandId);
    });
  }
}

async function requireAllowed(
  { actor, model, step }: Work,
  id: string,
  { readRecord }: Progress,
): Promise<void> {
  if (step.requireAllowed === undefined) return;
  step.requireAllowed(actor, model, live(await readRecord(model, id), id));
}
