import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { mayBeRepeat } from '../writer/submission.ts';
import { type Append, isOfWriter } from './append.ts';
import type { CommandDefinition } from './define-command.ts';
import type { Execute } from './send-to-owner.ts';
import type { Executed, ExistingWriteRequest } from './write-request.ts';

interface Appends {
  readonly append: Append;
  readonly appendToDirectory: Append;
}

/** Decides a command at this instance. Rejects with NotOwner if another instance owns the partition. */
export function createExecute<Owner extends Appends>(
  definitions: readonly CommandDefinition<string, object, Owner>[],
  owner: Owner,
): Execute {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return async ({ name, ...command }, { place, identity }) => {
    const definition = byName.get(name);
    // An instance of a newer version sent it, and will own the partition soon.
    if (definition === undefined) throw new Unavailable(`unknown command ${name}`);
    const id = command.id ?? place?.id ?? '';
    const request = { ...command, identity, id, ...(place && { place }) };
    try {
      return await definition.execute(owner, request);
    } catch (error) {
      if (!(error instanceof Refusal) || isOfWriter(error) || !mayBeRepeat(identity)) throw error;
      return refuseUnlessDone(owner, request, error);
    }
  };
}

/** What was allowed at the first try may be forbidden by now. Only the writer knows whether there was one. */
function refuseUnlessDone(
  { append, appendToDirectory }: Appends,
  request: ExistingWriteRequest,
  refusal: Refusal,
): Promise<Executed> {
  const decide = () => {
    throw refusal;
  };
  const { log } = request.model.definition;
  const target = { id: request.id, isCreation: true, decide };
  return log === 'directory' ? appendToDirectory(request, target) : append(request, target);
}
