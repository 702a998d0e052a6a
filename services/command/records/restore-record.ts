import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { isRestorable } from '../../../shared/domain/entity/model/entity-model.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import { decideRestore } from '../../../shared/domain/record/decide.ts';
import { type Append, type AppendTarget, requirePossibleId } from '../owner/append.ts';
import { sendPlanned } from '../owner/send-planned.ts';
import type { Command, CommandAnswer, SendToOwner } from '../owner/send-to-owner.ts';
import type { Executed, ExistingWriteRequest } from '../owner/write-request.ts';
import { restoreCommand } from './record-commands.ts';
import { unknownAction } from './unknown-action.ts';

export interface RestoreDeps {
  readonly sendToOwner: SendToOwner;
  /** Completes and ends the merges that deleted a record. */
  readonly endMergesOf: (command: Command & { readonly id: string }) => Promise<void>;
}

/**
 * Restores a deleted record, for administrators. The target of a merge keeps the values that it got. The merge is ended,
 * because otherwise it would delete the restored source again.
 */
export async function restoreRecord(
  command: Command & { readonly id: string },
  deps: RestoreDeps,
): Promise<CommandAnswer> {
  const { actor, model, id } = command;
  requirePossibleId(id);
  return sendPlanned(deps, restoreCommand, {
    ...command,
    async plan() {
      requireAdministrator(actor);
      if (!isRestorable(model.definition)) throw unknownAction(model, 'restoreDeleted');
      await deps.endMergesOf(command);
      return {};
    },
  });
}

/** Decides a restoration, at the owner. */
export async function executeRestore(
  request: ExistingWriteRequest,
  { append }: { readonly append: Append },
): Promise<Executed> {
  requireAdministrator(request.actor);
  return append(request, { id: request.id, decide: restoring(request) });
}

/** Only administrators see deleted records. */
export function restoring({ id, conditions }: ExistingWriteRequest): AppendTarget['decide'] {
  return (state) => {
    const decided = decideRestore(state, id);
    if (state !== undefined) requireMatch(state, conditions);
    return decided;
  };
}
