import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { keyReused } from './decide-batch.ts';
import { type CommandMemory, identityOf } from './memory/command-memory.ts';
import type { RecordCache } from './memory/record-cache.ts';
import { mayBeRepeat, type Submission, type Waiting } from './submission.ts';

/** A command in Postgres: the hash of its request, and the record after it. */
export interface FoundCommand {
  readonly hash: string | null;
  readonly state: RecordState;
  /** Attributes whose values changed. */
  readonly changed: readonly string[];
}

export interface LoadDeps {
  readonly cache: RecordCache;
  readonly commands: CommandMemory;
  /** Postgres has every event below this offset. */
  readonly projected: () => bigint;
  readonly waitProjected: (offset: bigint) => Promise<void>;
  /** Asks Postgres for a command with the same identity. */
  readonly findCommand: (submission: Submission) => Promise<FoundCommand | undefined>;
}

/** Loads the state that a decision needs. Resolves with true if Postgres has the command, which is then answered. */
export async function loadCommand(deps: LoadDeps, waiting: Waiting): Promise<boolean> {
  const { submission } = waiting;
  const found = mayBeRepeat(submission) ? await findRepeat(deps, waiting) : undefined;
  if (found !== undefined) {
    if (found.hash !== submission.commandHash) throw keyReused();
    const { state, changed } = found;
    waiting.resolve({ state, changed, offset: undefined, isReplay: true });
    return true;
  }
  const { entityType, recordId, isCreation } = submission;
  if (!isCreation) await deps.cache.load(entityType, recordId);
  return false;
}

async function findRepeat(deps: LoadDeps, waiting: Waiting): Promise<FoundCommand | undefined> {
  const known = deps.commands.peek(identityOf(waiting.submission) ?? '');
  if (known?.state !== undefined) return undefined;
  if (known?.offset !== undefined) await deps.waitProjected(known.offset);
  const below = deps.projected();
  const found = await deps.findCommand(waiting.submission);
  waiting.unknownBelow = below;
  return found;
}
