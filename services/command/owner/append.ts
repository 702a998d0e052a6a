import { Refusal } from '../../../shared/domain/errors.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission } from '../writer/submission.ts';
import type { Executed, WriteRequest } from './write-request.ts';

/** The record of a write, which exists already unless the write is a creation, and the decision on it. */
export interface AppendTarget {
  readonly id: string;
  readonly isCreation?: boolean;
  /** Whether the record is quarantined, and the decision ends that. */
  readonly isOfQuarantine?: boolean;
  readonly decide: Submission['decide'];
}

/** The client of a write, and its deadline in milliseconds since 1970. */
interface AppendRequest extends Pick<WriteRequest, 'identity' | 'deadline' | 'requireRights'> {
  readonly model: Pick<WriteRequest['model'], 'name'>;
  readonly actor: Pick<WriteRequest['actor'], 'id'>;
}

/**
 * Submits a decision to a writer. Resolves when the log has the event; rejects with NotOwner if another instance owns
 * the record.
 */
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

/** Submits a decision to the writer of the directory, which has one partition. */
export function createDirectoryAppend(writer: PartitionWriter): Append {
  return (request, target) => submitTo({ writer, partition: 0 }, request, target);
}

const refusals = new WeakSet<Refusal>();

/** Whether a writer refused, which looks for the first try of a repeat before it decides. */
export function isOfWriter(refusal: Refusal): boolean {
  return refusals.has(refusal);
}

/** Submits a decision to one writer, and resolves when the log has the event. */
async function submitTo(
  { writer, partition }: { readonly writer: PartitionWriter; readonly partition: number },
  { model, actor, identity, deadline, requireRights }: AppendRequest,
  { id, isCreation = false, isOfQuarantine = false, decide }: AppendTarget,
): Promise<Executed> {
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
  const written = await writer.submit(submission).catch((error: unknown) => {
    if (error instanceof Refusal) refusals.add(error);
    throw error;
  });
  const { state, offset, isReplay = false, changed } = written;
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

/** Refuses ids that no record can have, because Postgres does not take all of them as text. */
export function requirePossibleId(id: string): void {
  if (id.length > MAX_ID_LENGTH || !id.isWellFormed() || id.includes('\0')) {
    throw recordNotFound(id);
  }
}
