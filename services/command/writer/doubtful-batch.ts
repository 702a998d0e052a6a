import { Unavailable } from '../../../shared/domain/errors.ts';
import { changedBy } from '../../../shared/domain/record/record-event.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import type { Batch } from './decide-batch.ts';
import type { LogPosition } from './log-tail.ts';
import { identityOf } from './memory/command-memory.ts';
import { recordKey } from './memory/record-cache.ts';
import type { PartitionWriterDeps } from './partition-writer-deps.ts';
import { resolveBatch, withdrawBatch } from './resolve-batch.ts';
import type { Waiting } from './submission.ts';

/** The batch of an append with an unknown outcome, until the outcome is known. */
export class DoubtfulBatch {
  readonly #deps: PartitionWriterDeps;
  #batch: Batch | undefined;

  constructor(deps: PartitionWriterDeps) {
    this.#deps = deps;
  }

  begin(batch: Batch): void {
    this.#batch = batch;
  }

  /**
   * Called for each event read from the log. Recognizes the batch, and marks cached records as doubtful after events
   * from other writers.
   */
  see(event: LoggedEvent, offset: bigint): void {
    const batch = this.#batch;
    if (batch === undefined || event.token !== batch.token) this.#noteOther(event, offset);
    else if (event.sequence === batch.firstSequence) batch.acceptedAt = offset;
  }

  /**
   * Resolves the batch as soon as its outcome is known: it was accepted, or its token is no longer valid. In the second
   * case, returns the commands, which have to be decided again.
   */
  resolve({ token, offset }: LogPosition): readonly Waiting[] {
    const batch = this.#batch;
    if (batch === undefined) return [];
    if (batch.acceptedAt !== undefined) {
      this.#batch = undefined;
      resolveBatch(this.#deps, batch);
      return [];
    }
    if (token === batch.token) return [];
    this.#batch = undefined;
    return withdrawBatch(this.#deps, batch, offset - 1n);
  }

  /** Gives up on the batch: its outcome stays unknown. */
  abandon(): void {
    for (const { waiting } of this.#batch?.decided ?? []) {
      waiting.reject(new Unavailable('this instance is stopping; the change may be in the log'));
    }
  }

  #noteOther(event: LoggedEvent, offset: bigint): void {
    const { entityType, recordId, commandHash: hash } = event;
    this.#deps.cache.distrust(recordKey(entityType, recordId), offset);
    const identity = identityOf(event);
    if (identity === undefined) return;
    this.#deps.commands.put(identity, {
      hash,
      state: undefined,
      changed: changedBy(event),
      offset,
    });
  }
}
