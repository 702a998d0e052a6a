import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { requireActingUser } from '../../../shared/domain/directory/acting-user.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import type { CommandContext } from '../context.ts';
import { type CommandIdentity, mayBeRepeat } from '../writer/submission.ts';
import { append } from './append.ts';
import {
  type Command,
  type Executed,
  type Place,
  systemActor,
  systemAdministrator,
  type WriteRequest,
} from './command.ts';
import type { CommandDefinition } from './define-command.ts';
import type { ForwardedCommand } from './protocol.ts';

/**
 * Thrown from `decide` if the actor's permissions have changed since the command was read. The command is then executed
 * again.
 */
class RightsChanged extends Error {
  override readonly name = 'RightsChanged';
}

/** One attempt to decide a command. */
interface Attempt {
  readonly definition: CommandDefinition;
  readonly place: Place | undefined;
  readonly identity: CommandIdentity;
}

/** A command, except for the parts that the attempt itself contains. */
type AttemptedCommand = Omit<Command, 'commandId' | 'commandHash' | 'untilReadable'>;

/**
 * Decides a command on this instance. Decides it again if the user's permissions have changed, because the command may
 * wait for a long time between its first checks and its decision, for example for Postgres or for a new owner. Rejects
 * with NotOwner if another instance owns the partition.
 */
export async function executeCommand(
  context: CommandContext,
  command: AttemptedCommand,
  attempt: Attempt,
): Promise<Executed> {
  for (let { actor } = command; ; actor = presentActor(context.directory, actor)) {
    try {
      return await executeOnce(context, { ...command, actor }, attempt);
    } catch (error) {
      if (!(error instanceof RightsChanged)) throw error;
    }
  }
}

/** Rejects with RightsChanged if the actor's permissions have changed. */
async function executeOnce(
  context: CommandContext,
  command: AttemptedCommand,
  { definition, place, identity }: Attempt,
): Promise<Executed> {
  let hasReachedWriter = false;
  const request = {
    ...command,
    identity,
    id: command.id ?? place?.id ?? '',
    ...(place && { place }),
    // The writer looks for an earlier attempt before it calls this.
    requireRights() {
      hasReachedWriter = true;
      if (!command.isDecided) requireUnchanged(context.directory, command.actor);
    },
  };
  try {
    return await definition.execute(context, request);
  } catch (error) {
    const isFinal = hasReachedWriter || !mayBeRepeat(identity);
    if (!(error instanceof Refusal) || isFinal) throw error;
    return refuseUnlessDone(context, request, error);
  }
}

function requireUnchanged(directory: Directory, actor: Actor): void {
  const present = presentActor(directory, actor);
  if (present !== actor && !isDeepStrictEqual(present, actor)) throw new RightsChanged();
}

/** Returns the actor with current permissions. Rejects users who are no longer active. */
export function presentActor(directory: Directory, actor: Actor): Actor {
  return actor === systemAdministrator ? actor : requireActingUser(directory, actor.id);
}

/**
 * Rejects a command unless it is a repeat: its first attempt may have been allowed, and only the writer can find its
 * outcome.
 */
function refuseUnlessDone(
  context: CommandContext,
  request: WriteRequest,
  refusal: Refusal,
): Promise<Executed> {
  const target = {
    id: request.id,
    isCreation: true,
    decide() {
      throw refusal;
    },
  };
  return append(context, request, target);
}

/** Decides a command that another instance forwarded, with the user's permissions according to this instance. */
export async function executeForwarded(
  context: CommandContext,
  definitions: ReadonlyMap<string, CommandDefinition>,
  forwarded: ForwardedCommand,
): Promise<Executed> {
  const { directory, follower, now, topics } = context;
  const { action, body, conditions, id, identity, partition } = forwarded;
  const deadline = now() + forwarded.remainingMs;
  const definition = definitions.get(action);
  // Sent by an instance with a newer version, which will own the partition soon.
  if (definition === undefined) throw new Unavailable(`unknown command ${action}`);
  await follower.waitFor(BigInt(forwarded.directoryOffset));
  const model = directory.entity(forwarded.entityType);
  if (model === undefined) throw new Unavailable(`unknown entity type ${forwarded.entityType}`);
  const resource = `${topics[model.definition.log]}/${partition}`;
  const actor = actorOf(directory, forwarded.actorId);
  return executeCommand(
    context,
    {
      actor,
      model,
      body,
      conditions,
      deadline,
      ...(forwarded.isChecked ? {} : { isDecided: true }),
      id,
    },
    { definition, place: { resource, partition, id }, identity },
  );
}

function actorOf(directory: Directory, id: string): Actor {
  if (id === systemActor.id) return systemAdministrator;
  const user = directory.record('User', id);
  if (user === undefined) throw new Unavailable(`unknown user ${id}`);
  return directory.actor(user);
}
