import { requireScope } from '../../../shared/domain/access/actor.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import { type Append, requirePossibleId } from '../forwarding/append.ts';
import type { Executed, ExistingWriteRequest } from '../forwarding/write-request.ts';
import { type DeriveDeps, deriveUpdate } from './input/derive-update.ts';
import { editable } from './input/read-values.ts';
import { noLinks, type ResolveLinks } from './input/resolve-links.ts';
import { siblingsIn } from './input/siblings-in.ts';

interface UpdateDeps extends DeriveDeps {
  readonly append: Append;
  readonly resolveLinks: ResolveLinks;
}

/** Decides an update, at the owner. */
export async function executeUpdate(
  request: ExistingWriteRequest,
  deps: UpdateDeps,
): Promise<Executed> {
  const { actor, model, body, id, conditions } = request;
  requireScope(actor, model.name, 'edit');
  requirePossibleId(id);
  const { values, problems } = readInput(model, editable(actor, model, body), 'update');
  const links = problems.length > 0 ? noLinks : await deps.resolveLinks({ model, values, actor });
  return deps.append(request, {
    id,
    isCreation: false,
    decide: (state) => {
      const current = live(state, id);
      const update = { actor, model, conditions, values, problems, links };
      const after = deriveUpdate(current, update, deps);
      return decideUpdate(
        current,
        withFollowedRules(model, { current: current.values, after, now: Date.now() }),
        siblingsIn(model),
      );
    },
  });
}
