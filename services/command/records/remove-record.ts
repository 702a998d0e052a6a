import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { decideDelete, live } from '../../../shared/domain/record/decide.ts';
import type { CommandContext } from '../context.ts';
import { append } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { requireConditions } from './input/require-conditions.ts';

/** Decides a deletion, at the owner. */
export async function executeRemove(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const { actor, model, id, conditions } = request;
  requireScope(actor, model.name, 'delete');
  return append(context, request, {
    id,
    decide(state) {
      const current = live(state, id);
      requireRecordAccess(actor, 'delete', { ...current, model });
      requireConditions(current, { actor, model, conditions });
      return decideDelete(current);
    },
  });
}
