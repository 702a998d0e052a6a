import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { isRestorable } from '../../../shared/domain/entity/model/entity-model.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import { decideRestore } from '../../../shared/domain/record/decide.ts';
import type { CommandContext } from '../context.ts';
import { type AppendTarget, append, requirePossibleId } from '../owner/append.ts';
import type { Command, CommandAnswer, Executed, WriteRequest } from '../owner/command.ts';
import { restoreCommand } from './record-commands.ts';
import { unknownAction } from './unknown-action.ts';

/**
 * Restores a deleted record, for administrators. The target of a merge keeps the values that it got. The merge is ended,
 * because otherwise it would delete the restored source again.
 */
export async function restoreRecord(
  command: Command & { readonly id: string },
  context: CommandContext,
): Promise<CommandAnswer> {
  const { actor, model, id } = command;
  requirePossibleId(id);
  return context.sender.sendPlanned(restoreCommand, {
    ...command,
    async plan() {
      requireAdministrator(actor);
      if (!isRestorable(model.definition)) throw unknownAction(model, 'restoreDeleted');
      await context.endMergesOf(command);
      return {};
    },
  });
}

/** Decides a restoration, at the owner. */
export async function executeRestore(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  requireAdministrator(request.actor);
  return append(context, request, { id: request.id, decide: restoring(request) });
}

/** Only administrators see deleted records. */
export function restoring({ id, conditions }: WriteRequest): AppendTarget['decide'] {
  return (state) => {
    const decided = decideRestore(state, id);
    if (state !== undefined) requireMatch(state, conditions);
    return decided;
  };
}
