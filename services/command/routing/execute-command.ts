import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Action } from './action.ts';
import type { Execute } from './route-commands.ts';

/** Decides a command at this instance; NotOwner if it is not the one to do so. */
export function createExecute<Owner>(
  actions: readonly Action<string, object, Owner>[],
  owner: Owner,
): Execute {
  const byName = new Map(actions.map((action) => [action.name, action]));
  return async ({ action: name, ...command }, { place, identity }) => {
    const action = byName.get(name);
    // An instance of a newer version sent it, and decides itself about it soon.
    if (action === undefined) throw new Unavailable(`unknown action ${name}`);
    const id = command.id ?? place?.id ?? '';
    return action.execute(owner, { ...command, identity, id, ...(place && { place }) });
  };
}
