import type { RecordName } from '../../../shared/db/quarantine.ts';
import { keyReused } from './decide-batch.ts';
import { type FoundCommand, identityOf } from './memory/command-memory.ts';
import type { PartitionWriterDeps } from './partition-writer-deps.ts';
import { mayBeRepeat, type Waiting } from './submission.ts';

/**
 * Loads the state that a decision needs. Resolves with true if Postgres already has the command. In this case, the
 * command is resolved as well.
 */
export async function loadCommand(deps: PartitionWriterDeps, waiting: Waiting): Promise<boolean> {
  const { submission } = waiting;
  const found = mayBeRepeat(submission) ? await findRepeat(deps, waiting) : undefined;
  if (found !== undefined) {
    if (found.hash !== submission.commandHash) throw keyReused();
    const { state, changed } = found;
    await requireNotQuarantined(deps, state);
    waiting.resolve({ state, changed, offset: undefined, isReplay: true });
    return true;
  }
  const { entityType, recordId, isCreation = false, isOfQuarantine = false } = submission;
  if (isOfQuarantine) {
    await deps.cache.load(entityType, recordId, deps.quarantine.read);
    return false;
  }
  await requireNotQuarantined(deps, { entityType, id: recordId });
  if (!isCreation) await deps.cache.load(entityType, recordId);
  return false;
}

async function requireNotQuarantined(
  { quarantine }: PartitionWriterDeps,
  record: RecordName,
): Promise<void> {
  if (quarantine.mayHold(record)) await quarantine.requireFree(record);
}

async function findRepeat(
  deps: PartitionWriterDeps,
  waiting: Waiting,
): Promise<FoundCommand | undefined> {
  const known = deps.commands.peek(identityOf(waiting.submission) ?? '');
  if (known?.state !== undefined) return undefined;
  if (known?.offset !== undefined) await deps.waitProjected(known.offset);
  const below = deps.projected();
  const found = await deps.findCommand(waiting.submission);
  waiting.unknownBelow = below;
  return found;
}
