import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import type { ForwardedCommand } from './forwarded-command.ts';
import type { Execute } from './send-to-owner.ts';
import { systemActor, systemAdministrator } from './system-actor.ts';
import type { Executed } from './write-request.ts';

interface ForwardedDeps {
  readonly follower: DirectoryFollower;
  readonly execute: Execute;
  readonly topics: Pick<TopicNames, 'directory' | 'records'>;
  readonly now: () => number;
}

export type ExecuteForwarded = (command: ForwardedCommand) => Promise<Executed>;

/** Decides a command that another instance forwarded, with the user's rights as this instance knows them. */
export function createExecuteForwarded(deps: ForwardedDeps): ExecuteForwarded {
  const { follower, execute, topics, now } = deps;
  return async (command) => {
    const { action: name, body, conditions, id, identity, partition } = command;
    const deadline = now() + command.remainingMs;
    await follower.waitFor(BigInt(command.directoryOffset));
    const model = follower.directory.entity(command.entityType);
    if (model === undefined) throw new Unavailable(`unknown entity type ${command.entityType}`);
    const resource = `${topics[model.definition.log]}/${partition}`;
    const actor = actorOf(follower.directory, command.actorId);
    const { commandId, commandHash } = identity;
    return execute(
      {
        name,
        actor,
        model,
        body,
        conditions,
        deadline,
        commandId,
        commandHash,
        untilReadable: false,
        ...(command.isChecked ? {} : { isDecided: true }),
        id,
      },
      { place: { resource, partition, id }, identity },
    );
  };
}

function actorOf(directory: Directory, id: string): Actor {
  if (id === systemActor.id) return systemAdministrator;
  const user = directory.record('User', id);
  if (user === undefined) throw new Unavailable(`unknown user ${id}`);
  return directory.actor(user);
}
