import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission } from '../writer/submission.ts';
import type { CommandIdentity, Executed } from './write-request.ts';

/** Who wants something of the directory changed, and until when they wait (milliseconds since 1970). */
export interface DirectoryRequest {
  readonly actor: { readonly id: string };
  readonly model: { readonly name: string };
  readonly identity: CommandIdentity;
  readonly deadline: number;
}

interface DirectoryTarget {
  readonly id: string;
  readonly isCreation: boolean;
  readonly decide: Submission['decide'];
}

export interface DirectoryCommands {
  /** Answers when the log has the change; NotOwner where another instance decides about the directory. */
  append(request: DirectoryRequest, target: DirectoryTarget): Promise<Executed>;
}

/** Of a command that nobody repeats. */
export const unrepeated: CommandIdentity = {
  commandId: null,
  commandHash: null,
  correlationId: null,
  isRepeat: false,
};

export function createDirectoryCommands(writer: PartitionWriter): DirectoryCommands {
  return {
    async append({ actor, model, identity, deadline }, target) {
      const {
        state,
        offset,
        isReplay = false,
      } = await writer.submit({
        ...identity,
        ...target,
        entityType: model.name,
        recordId: target.id,
        actorId: actor.id,
        deadline,
      });
      return { state, partition: 0, offset, isReplay };
    },
  };
}
