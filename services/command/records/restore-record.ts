import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { isRestorable } from '../../../shared/domain/entity/model/entity-model.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import { decideRestore } from '../../../shared/domain/record/decide.ts';
import { type Append, type AppendTarget, requirePossibleId } from '../forwarding/append.ts';
import type { Command, CommandAnswer, SendToOwner } from '../forwarding/send-to-owner.ts';
import type { Executed, ExistingWriteRequest } from '../forwarding/write-request.ts';
import { restoreCommand } from './record-commands.ts';
import { unknownAction } from './unknown-action.ts';

export interface RestoreDeps {
  readonly sendToOwner: SendToOwner;
  /** Ends the merges that took a record away: what they left undone is done, and nobody looks after them any more. */
  readonly endMergesOf: (command: Command & { readonly id: string }) => Promise<void>;
}

/**
 * Brings a deleted record back, for administrators. What it was merged into keeps what it got, and is
 * not looked after any more: else the source that is there again would be led to the target once more.
 */
export async function restoreRecord(
  command: Command & { readonly id: string },
  deps: RestoreDeps,
): Promise<CommandAnswer> {
  const { actor, model, id } = command;
  requireAdministrator(actor);
  requirePossibleId(id);
  if (!isRestorable(model.definition)) throw unknownAction(model, 'restoreDeleted');
  await deps.endMergesOf(command);
  return deps.sendToOwner(restoreCommand, { ...command, body: {} });
}

/** Decides at its owner that a record is back. */
export async function executeRestore(
  request: ExistingWriteRequest,
  { append }: { readonly append: Append },
): Promise<Executed> {
  requireAdministrator(request.actor);
  return append(request, { id: request.id, isCreation: false, decide: restoring(request) });
}

/** Nobody else even sees what was deleted. */
export function restoring({ id, conditions }: ExistingWriteRequest): AppendTarget['decide'] {
  return (state) => {
    const decided = decideRestore(state, id);
    if (state !== undefined) requireMatch(state, conditions);
    return decided;
  };
}
