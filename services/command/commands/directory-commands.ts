import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission } from '../writer/submission.ts';
import type { UntilReadable } from './until-readable.ts';

/** Who wants something of the directory changed, and whether they wait until Postgres shows it. */
interface DirectoryRequest {
  readonly actor: { readonly id: string };
  readonly model: { readonly name: string };
  readonly correlationId: string | null;
  readonly untilReadable: boolean;
}

interface DirectoryTarget {
  readonly id: string;
  readonly isCreation: boolean;
  readonly decide: Submission['decide'];
}

export interface DirectoryCommands {
  /** Answers when this process's memory has the change, and Postgres too if the request waits for that. */
  append(request: DirectoryRequest, target: DirectoryTarget): Promise<RecordState>;
}

interface DirectoryCommandDeps {
  readonly writer: PartitionWriter;
  readonly follower: DirectoryFollower;
  readonly untilReadable: UntilReadable;
  readonly now: () => number;
  readonly timeoutMs: number;
}

export function createDirectoryCommands(deps: DirectoryCommandDeps): DirectoryCommands {
  return {
    async append(request, target) {
      const deadline = deps.now() + deps.timeoutMs;
      const { state, offset } = await deps.writer.submit({
        entityType: request.model.name,
        recordId: target.id,
        isCreation: target.isCreation,
        actorId: request.actor.id,
        commandId: null,
        commandHash: null,
        correlationId: request.correlationId,
        isRepeat: false,
        deadline,
        decide: target.decide,
      });
      if (offset !== undefined) {
        await deps.follower.waitFor(offset + 1n);
        if (request.untilReadable) await deps.untilReadable({ partition: 0, offset, deadline });
      }
      return state;
    },
  };
}
