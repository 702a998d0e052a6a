/**
 * The writer of one partition. One loop, so that at most one append is under way:
 *
 *   unowned ──fence──▶ owned ──append──▶ owned        the batch stands at the offset expected
 *      ▲                 │                            or further on, with our token still valid there
 *      └── unknown ◀─────┘                            an error, a time-out, or another's fence in between
 *
 * `fence`: read to the end of the log, append a fence naming the token seen, read through it. If ours is the valid one
 * the partition is owned, and whatever was unknown is decided: either the fold took it, then it is acknowledged, or no
 * reader will ever take it, then its commands are decided again on the state as it is now.
 *
 * Commands that arrive while an append is under way are decided together afterwards and leave in the next one (group
 * commit). Nobody is answered before the batch that an answer rests on stands in the log, refusals included.
 */
import type { Logger } from 'pino';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { encodeFence } from '../../../shared/events/log-entry-codec.ts';
import { type Batch, type BatchLimits, decideBatch } from './decide-batch.ts';
import { type LogPosition, LogTail } from './log-tail.ts';
import type { PartitionLog } from './partition-log.ts';
import { type RecordCache, recordKey } from './record-cache.ts';
import { type Submission, Waiting, type Written } from './submission.ts';

interface PartitionWriterDeps {
  readonly log: PartitionLog;
  readonly cache: RecordCache;
  /** Where the projector stands: what lies before it is in Postgres and needs no reading. */
  readonly startFrom: () => Promise<LogPosition>;
  /** Waited for before each batch is decided. */
  readonly beforeDeciding?: (position: LogPosition) => Promise<void>;
  readonly owner: string;
  /** Where other processes reach the owner; stands in the fence. */
  readonly address: string;
  readonly newToken: () => string;
  readonly newEventId: () => string;
  readonly now: () => number;
  readonly limits: BatchLimits;
  /** Between two failed tries to own the partition. */
  readonly pause: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * So many commands leave at once, without waiting for more: while the log and the projector work on them, the next ones
 * are read. Larger appends would cost less each, but then every process waits for the other two (measured at 64 and at
 * 256 clients: 32 gives a sixth to a third more writes than 64 or no limit).
 */
export const fullAppend = 32;

export class PartitionWriter {
  readonly #deps: PartitionWriterDeps;
  readonly #running: Promise<void>;
  #queue: Waiting[] = [];
  #tail: LogTail | undefined;
  #ownToken: string | undefined;
  /** Sent, and not known whether it stands. */
  #doubtful: Batch | undefined;
  #wake: () => void = () => undefined;
  /** Ends the gathering of commands for an append. */
  #gathered: () => void = () => undefined;
  #closed = false;

  constructor(deps: PartitionWriterDeps) {
    this.#deps = deps;
    this.#running = this.#run();
  }

  /** Resolves when the log has the event, or when there is nothing to change; rejects with what `decide` throws. */
  submit(submission: Submission): Promise<Written> {
    return new Promise((resolve, reject) => {
      const waiting = new Waiting(submission, { resolve, reject, now: this.#deps.now() });
      if (submission.isCreation) this.#enqueue(waiting);
      else this.#enqueueLoaded(waiting);
    });
  }

  /** As far as this instance knows at this moment. */
  isOwned(): boolean {
    return this.#ownToken !== undefined;
  }

  /** The valid token while owned. */
  token(): string | undefined {
    return this.#ownToken;
  }

  /** Everything below this offset is known to the owner. */
  position(): LogPosition {
    return this.#tail?.position ?? { ...emptyFold, offset: 0n };
  }

  /** What waits is refused as unavailable; a batch under way is still decided. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#running;
    await this.#deps.log.close();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (this.#tail === undefined || this.#ownToken === undefined) await this.#own();
      else if (this.#queue.length === 0) await this.#sleepUntilWoken();
      else await this.#writeBatch(this.#tail, this.#ownToken);
    }
    for (const waiting of this.#queue) waiting.reject(new Unavailable('this instance is stopping'));
  }

  #sleepUntilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #own(): Promise<void> {
    const { log, startFrom, newToken, logger } = this.#deps;
    const token = newToken();
    try {
      this.#tail ??= new LogTail(log, await startFrom(), logger);
      await this.#fence(this.#tail, token);
      if (this.#tail.position.token === token) this.#ownToken = token;
      this.#settleDoubtful(this.#tail);
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      logger.warn({ err }, 'partition not owned yet');
    }
    if (this.#ownToken === undefined && !this.#closed) await this.#deps.pause();
  }

  async #fence(tail: LogTail, token: string): Promise<void> {
    const { log, owner, address, now, logger } = this.#deps;
    await this.#readUpTo(tail, await log.end());
    const prevToken = tail.position.token;
    const fence = encodeFence({ token, prevToken, owner, address, occurredAt: now() });
    try {
      const offset = await log.append([{ key: 'fence', value: fence }]);
      await this.#readUpTo(tail, offset + 1n);
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      logger.warn({ err }, 'outcome of a fence is unknown');
      await this.#readUpTo(tail, await log.end());
    }
  }

  async #writeBatch(tail: LogTail, token: string): Promise<void> {
    const { cache, now, newEventId, limits, beforeDeciding } = this.#deps;
    const from = tail.position;
    await beforeDeciding?.(from);
    await this.#gather();
    const batch = decideBatch(
      { cache, now, newEventId, limits, token, sequence: from.sequence },
      () => this.#queue.shift(),
      (waiting) => this.#enqueueLoaded(waiting),
    );
    if (batch.messages.length === 0) {
      this.#answer(batch);
      return;
    }
    this.#doubtful = batch;
    await this.#append(tail, batch);
    this.#settleDoubtful(tail);
  }

  /** Requests that have arrived by now are read before the append leaves, unless enough wait already. */
  async #gather(): Promise<void> {
    if (this.#queue.length >= fullAppend) return;
    await new Promise<void>((resolve) => {
      this.#gathered = resolve;
      setImmediate(resolve);
    });
  }

  /** Leaves the batch either accepted, or in doubt. */
  async #append(tail: LogTail, batch: Batch): Promise<void> {
    const from = tail.position;
    const events = batch.messages.length;
    try {
      const offset = await this.#deps.log.append(batch.messages);
      if (offset === from.offset) {
        const sequence = from.sequence + events;
        tail.moveTo({ offset: offset + BigInt(events), token: batch.token, sequence });
        batch.acceptedAt = offset;
      } else {
        await this.#readUpTo(tail, offset + BigInt(events));
      }
      if (tail.position.token !== batch.token) this.#ownToken = undefined;
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      this.#deps.logger.warn({ err, events }, 'outcome of an append is unknown');
      this.#ownToken = undefined;
    }
  }

  /** Finds the batch in doubt if it is there; events of others put their records in doubt. */
  async #readUpTo(tail: LogTail, end: bigint): Promise<void> {
    await tail.readUpTo(end, (event: LoggedEvent, offset: bigint) => {
      const batch = this.#doubtful;
      if (batch === undefined || event.token !== batch.token) {
        this.#deps.cache.distrust(recordKey(event.entityType, event.recordId), offset);
      } else if (event.sequence === batch.firstSequence) {
        batch.acceptedAt = offset;
      }
    });
  }

  /** Decides the batch in doubt as soon as the log has: it stands, or its token is dead and it never will. */
  #settleDoubtful(tail: LogTail): void {
    const batch = this.#doubtful;
    if (batch === undefined) return;
    if (batch.acceptedAt !== undefined) {
      this.#doubtful = undefined;
      this.#answer(batch);
    } else if (tail.position.token !== batch.token) {
      this.#doubtful = undefined;
      this.#withdraw(batch, tail.position.offset - 1n);
    }
  }

  /** Frees everyone whose outcome the batch decided. */
  #answer(batch: Batch): void {
    const { cache } = this.#deps;
    for (const { waiting, outcome } of batch.decided) {
      if (outcome.kind === 'refused') waiting.reject(outcome.error);
      else if (outcome.kind === 'unchanged') {
        waiting.resolve({ state: outcome.state, offset: cache.lastOffset(outcome.key) });
      } else {
        const offset = (batch.acceptedAt ?? 0n) + BigInt(outcome.index);
        cache.confirm(outcome.key, outcome.state, offset);
        waiting.resolve({ state: outcome.state, offset, event: outcome.event });
      }
    }
  }

  /** Nothing of the batch happened: its commands are decided again, in their old order. */
  #withdraw(batch: Batch, knownUpTo: bigint): void {
    for (const { outcome } of batch.decided) {
      if (outcome.kind === 'event') this.#deps.cache.distrust(outcome.key, knownUpTo);
    }
    this.#queue = [...batch.decided.map(({ waiting }) => waiting), ...this.#queue];
  }

  #enqueueLoaded(waiting: Waiting): void {
    const { entityType, recordId, isCreation } = waiting.submission;
    const loaded = isCreation ? Promise.resolve() : this.#deps.cache.load(entityType, recordId);
    loaded.then(
      () => this.#enqueue(waiting),
      (error: unknown) => waiting.reject(error),
    );
  }

  #enqueue(waiting: Waiting): void {
    if (this.#closed) {
      waiting.reject(new Unavailable('this instance is stopping'));
      return;
    }
    this.#queue.push(waiting);
    this.#wake();
    if (this.#queue.length >= fullAppend) this.#gathered();
  }
}
