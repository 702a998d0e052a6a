import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { decideDelete, live } from '../../../shared/domain/record/decide.ts';
import type { Append } from '../owner/append.ts';
import type { Executed, ExistingWriteRequest } from '../owner/write-request.ts';
import { requireConditions } from './input/require-conditions.ts';

/** Decides a deletion, at the owner. */
export async function executeRemove(
  request: ExistingWriteRequest,
  { append }: { readonly append: Append },
): Promise<Executed> {
  const { actor, model, id, conditions } = request;
  requireScope(actor, model.name, 'delete');
  return append(request, {
    id,
    decide(state) {
      const current = live(state, id);
      requireRecordAccess(actor, 'delete', { ...current, model });
      requireConditions(current, { actor, model, conditions });
      return decideDelete(current);
    },
  });
}
