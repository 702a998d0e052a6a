import { requireScope } from '../../../shared/domain/access/actor.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { CommandContext } from '../context.ts';
import { append, requirePossibleId } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { decideChange } from './input/decide-change.ts';
import { deriveUpdate } from './input/derive-update.ts';
import { editable, requireOpenFields } from './input/read-values.ts';
import { noLinks } from './input/resolve-links.ts';

/** Decides an update, at the owner. */
export async function executeUpdate(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const { actor, model, body, id, conditions } = request;
  requireScope(actor, model.name, 'edit');
  requirePossibleId(id);
  requireOpenFields(request);
  const { values, problems } = readInput(model, editable(actor, model, body), 'update');
  const links =
    problems.length > 0 ? noLinks : await context.resolveLinks({ model, values, actor });
  return append(context, request, {
    id,
    decide: (state) => {
      const current = live(state, id);
      const update = { actor, model, conditions, values, problems, links };
      return decideChange(model, current, deriveUpdate(current, update, context));
    },
  });
}
