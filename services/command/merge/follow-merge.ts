import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { mergeStepKey } from '../../../shared/domain/record/step-key.ts';
import type { CommandContext } from '../context.ts';
import { type Command, systemAdministrator } from '../owner/command.ts';
import { endMergeCommand, mergeAwayCommand, relinkCommand } from './merge-commands.ts';
import type { MergePlan } from './merge-plan.ts';
import { type Relinking, referrersIn } from './relink-record.ts';

/** A merge whose decision is in the log. */
export interface DecidedMerge {
  readonly model: EntityModel;
  readonly targetId: string;
  readonly plan: MergePlan;
}

/**
 * Completes a merge: changes references to the sources into references to the target, then deletes the sources. Every
 * step is idempotent, so any instance can repeat it at any time, even after a crash. The user needs the permission to
 * merge, but not the permission to edit the referring records.
 */
export async function followMerge(
  merge: DecidedMerge,
  deadline: number,
  context: CommandContext,
): Promise<void> {
  const { model, plan, targetId } = merge;
  if (plan.sourceIds.length === 0) return;
  const actor = actorOf(plan, context);
  const unnamed = { ...toStep(actor, null, deadline), model };
  const relinking = {
    entityType: model.name,
    from: plan.sourceIds,
    to: targetId,
    mergeId: plan.id,
  };
  await relinkAll(unnamed, relinking, context);
  const gone: string[] = [];
  for (const id of plan.sourceIds) {
    const named = { ...toStep(actor, mergeStepKey(plan.id, targetId, id), deadline), model };
    const isGone = await removeSource({ ...named, id, body: plan }, context);
    if (isGone) gone.push(id);
  }
  await relinkLate(unnamed, { ...relinking, from: gone }, context);
  if (gone.length === plan.sourceIds.length) return;
  await context.sender.send(endMergeCommand, { ...unnamed, id: targetId, body: plan });
}

function actorOf({ actorId }: MergePlan, { directory }: CommandContext): Actor {
  const user = directory.record('User', actorId);
  return user === undefined ? systemAdministrator : directory.actor(user);
}

/** Returns a command for one step of a decided action. If it has a key, repeating the step has no effect. */
export function toStep(
  actor: Actor,
  key: string | null,
  deadline: number,
): Omit<Command, 'model' | 'id' | 'body'> {
  const named = { commandId: key, commandHash: key };
  return { ...named, actor, deadline, untilReadable: true, conditions: {}, isDecided: true };
}

type Relink = Omit<Command, 'id' | 'body'>;

interface MergeRelinking extends Relinking {
  readonly mergeId: string;
}

/**
 * Handles references that were created after the search for references and before the sources were deleted. New
 * references can only come from requests that were checked before the deletion.
 */
async function relinkLate(
  command: Relink,
  relinking: MergeRelinking,
  context: CommandContext,
): Promise<void> {
  if (relinking.from.length === 0) return;
  do {
    await context.untilCaughtUp(command.deadline);
  } while (await relinkAll(command, relinking, context));
}

/** Resolves with false if nothing was changed. */
async function relinkAll(
  command: Relink,
  relinking: MergeRelinking,
  context: CommandContext,
): Promise<boolean> {
  let hasChanged = false;
  for (const model of context.directory.entities()) {
    if (model.definition.log !== 'records') continue;
    if (referrersIn(model, relinking.entityType).length === 0) continue;
    hasChanged = (await relinkAllOf({ ...command, model }, relinking, context)) || hasChanged;
  }
  return hasChanged;
}

async function relinkAllOf(
  command: Relink,
  { mergeId, ...relinking }: MergeRelinking,
  { sender, findReferring }: CommandContext,
): Promise<boolean> {
  let hasChanged = false;
  for await (const ids of findReferring(command.model, relinking)) {
    const answers = await Promise.all(
      ids.map(async (id) => {
        // The key only marks the event as a step. It is unique, because a record that gains another reference is
        // changed again.
        const key = mergeStepKey(mergeId, relinking.to, randomUUID());
        const named = { ...command, commandId: key, commandHash: key };
        return unlessGone(sender.send(relinkCommand, { ...named, id, body: relinking }));
      }),
    );
    hasChanged ||= answers.some((answer) => answer !== undefined && answer.changed.length > 0);
  }
  return hasChanged;
}

/** Resolves with false if the source was kept. */
async function removeSource(
  command: Command<MergePlan>,
  { sender }: CommandContext,
): Promise<boolean> {
  try {
    await unlessGone(sender.send(mergeAwayCommand, command));
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'conflict') return false;
    throw error;
  }
}

/** Resolves with undefined if the record has been deleted. */
export async function unlessGone<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found') return undefined;
    throw error;
  }
}
