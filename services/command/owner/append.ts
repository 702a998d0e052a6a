import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { CommandContext } from '../context.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission } from '../writer/submission.ts';
import type { Executed, WriteRequest } from './command.ts';

/** The record of a write, and the decision about it. The record exists unless the write is a creation. */
export interface AppendTarget {
  readonly id: string;
  readonly isCreation?: boolean;
  /** True if the record is quarantined and the decision ends the quarantine. */
  readonly isOfQuarantine?: boolean;
  readonly decide: Submission['decide'];
}

/** The client of a write, and its deadline in milliseconds since 1970. */
interface AppendRequest extends Pick<WriteRequest, 'identity' | 'deadline' | 'requireRights'> {
  readonly model: Pick<WriteRequest['model'], 'name'>;
  readonly actor: Pick<WriteRequest['actor'], 'id'>;
}

/**
 * Submits a decision to the writer of the record's partition. Resolves when the event is in the log. Rejects with
 * NotOwner if another instance owns the partition.
 */
export async function append(
  { writers }: Pick<CommandContext, 'writers'>,
  request: AppendRequest,
  target: AppendTarget,
): Promise<Executed> {
  requirePossibleId(target.id);
  const partition = partitionOf(target.id, writers.length);
  const writer = writers[partition];
  if (writer === undefined) throw new Error(`partition ${partition} has no writer`);
  return submitTo(writer, partition, { request, target });
}

/** Submits a decision to the writer of the directory, which has one partition. */
export async function appendToDirectory(
  { directoryWriter }: Pick<CommandContext, 'directoryWriter'>,
  request: AppendRequest,
  target: AppendTarget,
): Promise<Executed> {
  return submitTo(directoryWriter, 0, { request, target });
}

async function submitTo(
  writer: PartitionWriter,
  partition: number,
  { request, target }: { readonly request: AppendRequest; readonly target: AppendTarget },
): Promise<Executed> {
  const { model, actor, identity, deadline, requireRights } = request;
  const { id, isCreation = false, isOfQuarantine = false, decide } = target;
  const submission = {
    ...identity,
    entityType: model.name,
    recordId: id,
    isCreation,
    isOfQuarantine,
    actorId: actor.id,
    deadline,
    decide: checkedFirst(decide, requireRights),
  };
  const { state, offset, isReplay = false, changed } = await writer.submit(submission);
  return { state, partition, offset, isReplay, changed };
}

function checkedFirst(
  decide: Submission['decide'],
  requireRights: AppendRequest['requireRights'],
): Submission['decide'] {
  if (requireRights === undefined) return decide;
  return (state, writer) => {
    requireRights();
    return decide(state, writer);
  };
}

const MAX_ID_LENGTH = 100;

/** Rejects ids that no record can have, because Postgres cannot store some of them as text. */
export function requirePossibleId(id: string): void {
  if (id.length > MAX_ID_LENGTH || !id.isWellFormed() || id.includes('\0')) {
    throw recordNotFound(id);
  }
}
