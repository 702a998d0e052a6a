import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { CommandContext } from '../context.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { CommandIdentity, RecordDecision } from '../writer/submission.ts';
import type { Executed, WriteRequest } from './command.ts';

/** A record, and the decision about it. The record exists unless the decision creates it. */
export interface AppendTarget extends RecordDecision {
  readonly id: string;
}

/** The parts of a request that the writer needs. `deadline` is in milliseconds since 1970. */
interface AppendRequest {
  readonly model: { readonly name: string };
  readonly actor: { readonly id: string };
  readonly identity: CommandIdentity;
  readonly deadline: number;
  readonly requireRights?: () => void;
}

/**
 * Submits a decision to the writer of the record's partition. Resolves when the event is in the log. Rejects with
 * NotOwner if another instance owns the partition.
 */
export function append(
  context: CommandContext,
  request: WriteRequest<object>,
  target: AppendTarget,
): Promise<Executed> {
  if (request.model.definition.log === 'directory') {
    return appendToDirectory(context, request, target);
  }
  requirePossibleId(target.id);
  const { writers } = context;
  const partition = partitionOf(target.id, writers.length);
  const writer = writers[partition];
  if (writer === undefined) throw new Error(`partition ${partition} has no writer`);
  return submitTo(writer, partition, { request, target });
}

/** Submits a decision to the writer of the directory. The directory has one partition. */
export function appendToDirectory(
  { directoryWriter }: CommandContext,
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
  const { id: recordId, ...decision } = target;
  const {
    state,
    offset,
    isReplay = false,
    changed,
  } = await writer.submit({
    ...identity,
    ...decision,
    entityType: model.name,
    recordId,
    actorId: actor.id,
    deadline,
    requireRights,
  });
  return { state, partition, offset, isReplay, changed };
}

const MAX_ID_LENGTH = 100;

/** Returns false for ids that no record can have. Postgres cannot store some of them as text. */
export function isPossibleId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && id.isWellFormed() && !id.includes('\0');
}

export function requirePossibleId(id: string): void {
  if (!isPossibleId(id)) throw recordNotFound(id);
}
