import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { type EntityModel, isRestorable } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { requirePossibleId } from '../commands/append.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import { type DecidedMerge, type FollowDeps, followMerge } from './follow-merge.ts';

export interface RestoreDeps extends FollowDeps {
  /** Merges that took a record away and that may still be looked after, with their targets. */
  readonly findMergesOf: (
    model: EntityModel,
    sourceId: string,
  ) => Promise<readonly { readonly id: string; readonly plan: DecidedMerge['plan'] }[]>;
}

/**
 * Brings a deleted record back (api-facts 3.3), for administrators. What it was merged into keeps what it got, and is
 * not looked after any more: else the source that is there again would be led to the target once more.
 */
export async function restoreRecord(
  command: RoutedCommand & { readonly id: string },
  deps: RestoreDeps,
): Promise<RoutedAnswer> {
  const { actor, model, id } = command;
  requireAdministrator(actor);
  requirePossibleId(id);
  if (!isRestorable(model.definition)) throw unknownAction(model, 'restoreDeleted');
  await endMerges(command, deps);
  return deps.route({ ...command, action: 'restore', body: {} });
}

async function endMerges(
  { actor, model, id, deadline }: RoutedCommand & { readonly id: string },
  deps: RestoreDeps,
): Promise<void> {
  await deps.untilCaughtUp(deadline);
  const state = await deps.readState(model, id);
  if (state?.deleted !== true) return;
  for (const { id: targetId, plan } of await deps.findMergesOf(model, id)) {
    await followMerge({ model, targetId, plan }, deadline, deps);
    const ending = { actor, model, deadline, commandId: null, commandHash: null, conditions: {} };
    const body = { ...plan };
    await deps.route({ ...ending, action: 'merge-end', id: targetId, body, untilReadable: true });
  }
}

export function unknownAction({ name }: EntityModel, action: string): Refusal {
  return new Refusal(
    'not_found',
    'action.unknown',
    `Action POST '${printable(action)}' does not exist in ${name}.`,
  );
}
