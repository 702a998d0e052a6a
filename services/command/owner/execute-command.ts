import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { mayBeRepeat } from '../writer/submission.ts';
import { type Append, isOfWriter } from './append.ts';
import type { CommandDefinition } from './define-command.ts';
import type { Execute } from './send-to-owner.ts';
import type { ActorNow, Executed, ExistingWriteRequest } from './write-request.ts';

interface Appends {
  readonly append: Append;
  readonly appendToDirectory: Append;
}

/** Thrown from `decide` if the rights of the actor changed since the command was read. The command starts again. */
class RightsChanged extends Error {
  override readonly name = 'RightsChanged';
}

/** Decides a command at this instance. Rejects with NotOwner if another instance owns the partition. */
export function createExecute<Owner extends Appends>(
  definitions: readonly CommandDefinition<string, object, Owner>[],
  owner: Owner,
  actorNow: ActorNow,
): Execute {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return async ({ name, ...command }, { place, identity }) => {
    const definition = byName.get(name);
    // An instance of a newer version sent it, and will own the partition soon.
    if (definition === undefined) throw new Unavailable(`unknown command ${name}`);
    const id = command.id ?? place?.id ?? '';
    const decide = async (rights: Rights) => {
      const request = { ...command, ...rights, identity, id, ...(place && { place }) };
      try {
        return await definition.execute(owner, request);
      } catch (error) {
        if (!(error instanceof Refusal) || isOfWriter(error) || !mayBeRepeat(identity)) throw error;
        return refuseUnlessDone(owner, request, error);
      }
    };
    if (command.isDecided) return decide({ actor: command.actor });
    return withPresentRights(command.actor, actorNow, decide);
  };
}

type Rights = Pick<ExistingWriteRequest, 'actor' | 'requireRights'>;

/** A command may wait for long between its first checks and its decision: for Postgres, or for a new owner. */
async function withPresentRights(
  given: Actor,
  actorNow: ActorNow,
  decide: (rights: Rights) => Promise<Executed>,
): Promise<Executed> {
  for (let actor = given; ; actor = actorNow(actor)) {
    const requireRights = () => {
      const present = actorNow(actor);
      if (present !== actor && !isDeepStrictEqual(present, actor)) throw new RightsChanged();
    };
    try {
      return await decide({ actor, requireRights });
    } catch (error) {
      if (!(error instanceof RightsChanged)) throw error;
    }
  }
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
