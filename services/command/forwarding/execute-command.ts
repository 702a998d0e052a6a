import { Unavailable } from '../../../shared/domain/errors.ts';
import type { CommandDefinition } from './define-command.ts';
import type { Execute } from './send-to-owner.ts';

/** Decides a command at this instance. Rejects with NotOwner if another instance owns the partition. */
export function createExecute<Owner>(
  definitions: readonly CommandDefinition<string, object, Owner>[],
  owner: Owner,
): Execute {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return async ({ name, ...command }, { place, identity }) => {
    const definition = byName.get(name);
    // An instance of a newer version sent it, and will own the partition soon.
    if (definition === undefined) throw new Unavailable(`unknown command ${name}`);
    const id = command.id ?? place?.id ?? '';
    return definition.execute(owner, { ...command, identity, id, ...(place && { place }) });
  };
}
