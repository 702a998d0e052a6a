import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission } from '../writer/submission.ts';
import type { Executed, WriteRequest } from './write-request.ts';

export interface AppendTarget {
  readonly id: string;
  readonly isCreation: boolean;
  readonly decide: Submission['decide'];
}

/** Who wants something changed, and until when they wait (milliseconds since 1970). */
export interface AppendRequest extends Pick<WriteRequest, 'identity' | 'deadline'> {
  readonly model: Pick<WriteRequest['model'], 'name'>;
  readonly actor: Pick<WriteRequest['actor'], 'id'>;
}

/** Who wants what decided; answers when the log has it. NotOwner where another instance decides about the record. */
export type Append = (request: AppendRequest, target: AppendTarget) => Promise<Executed>;

export function createAppend(writers: readonly PartitionWriter[]): Append {
  return async (request, target) => {
    requirePossibleId(target.id);
    const partition = partitionOf(target.id, writers.length);
    const writer = writers[partition];
    if (writer === undefined) throw new Error(`partition ${partition} has no writer`);
    return submitTo({ writer, partition }, request, target);
  };
}

/** The same for the directory, which has one partition. */
export function createDirectoryAppend(writer: PartitionWriter): Append {
  return (request, target) => submitTo({ writer, partition: 0 }, request, target);
}

/** Has a writer decide, and answers when the log has what it decided. */
async function submitTo(
  { writer, partition }: { readonly writer: PartitionWriter; readonly partition: number },
  { model, actor, identity, deadline }: AppendRequest,
  target: AppendTarget,
): Promise<Executed> {
  const {
    state,
    offset,
    changed,
    isReplay = false,
  } = await writer.submit({
    ...identity,
    ...target,
    entityType: model.name,
    recordId: target.id,
    actorId: actor.id,
    deadline,
  });
  return { state, partition, offset, isReplay, changed };
}

const MAX_ID_LENGTH = 100;

/** What cannot be the id of a record names none; Postgres would not even take it as a text. */
export function requirePossibleId(id: string): void {
  if (id.length > MAX_ID_LENGTH || !id.isWellFormed() || id.includes('\0')) {
    throw recordNotFound(id);
  }
}
