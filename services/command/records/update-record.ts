import { requireScope } from '../../../shared/domain/access/actor.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { type Append, requirePossibleId } from '../owner/append.ts';
import type { Executed, ExistingWriteRequest } from '../owner/write-request.ts';
import { decideChange } from './input/decide-change.ts';
import { deriveUpdate } from './input/derive-update.ts';
import { editable, type NewValuesDeps, requireOpenFields } from './input/read-values.ts';
import { noLinks } from './input/resolve-links.ts';

/** Decides an update, at the owner. */
export async function executeUpdate(
  request: ExistingWriteRequest,
  deps: NewValuesDeps & { readonly append: Append },
): Promise<Executed> {
  const { actor, model, body, id, conditions } = request;
  requireScope(actor, model.name, 'edit');
  requirePossibleId(id);
  requireOpenFields(request);
  const { values, problems } = readInput(model, editable(actor, model, body), 'update');
  const links = problems.length > 0 ? noLinks : await deps.resolveLinks({ model, values, actor });
  return deps.append(request, {
    id,
    decide: (state) => {
      const current = live(state, id);
      const update = { actor, model, conditions, values, problems, links };
      return decideChange(model, current, deriveUpdate(current, update, deps));
    },
  });
}
