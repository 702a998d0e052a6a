/**
 * The writer of one partition. One loop, so that at most one append is under way:
 *
 *   idle ──acquire──▶ unowned ──fence──▶ owned ──append──▶ owned     the batch is at the expected offset
 *     ▲                 ▲                  │                         or further on, with our token still valid there
 *     │                 └──── unknown ◀────┤                         an error or a time-out
 *     └──── another's fence ◀──────────────┘
 *
 * `fence`: reads to the end of the log, appends a fence that names the token found there, and reads through its own
 * fence. If its own token is then valid, the partition is owned, and the outcome of a doubtful batch is known: either
 * the fold has accepted the batch, and its commands are acknowledged, or no reader will ever accept it, and its
 * commands are decided again on the current state.
 *
 * Another writer's fence ends the ownership. Only `acquire` attempts to take it back, so two writers never fence each
 * other repeatedly. Waiting commands are handed back with NotOwner.
 *
 * Commands that arrive during an append are decided together afterwards, and appended as the next batch (group commit).
 * No caller gets a reply, not even a refusal, before the batch that the reply depends on is in the log.
 */
import { Unavailable } from '../../../shared/domain/errors.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import { encodeFence } from '../../../shared/events/log-entry-codec.ts';
import { CommandQueue } from './command-queue.ts';
import { type Batch, decideBatch } from './decide-batch.ts';
import { DoubtfulBatch } from './doubtful-batch.ts';
import { loadCommand } from './load-command.ts';
import { type LogPosition, LogTail } from './log-tail.ts';
import { NotOwner } from './not-owner.ts';
import type { PartitionWriterDeps } from './partition-writer-deps.ts';
import { resolveBatch } from './resolve-batch.ts';
import { mayBeRepeat, type Submission, Waiting, type Written } from './submission.ts';

export class PartitionWriter {
  /** Totals since the start of the process, for metrics. */
  readonly counts = { fences: 0, won: 0, lost: 0 };
  /** Called whenever this writer becomes the owner. */
  onOwned: () => void = () => undefined;
  readonly #deps: PartitionWriterDeps;
  readonly #running: Promise<void>;
  readonly #queue = new CommandQueue();
  #tail: LogTail | undefined;
  #isWanted = false;
  /** This writer's current or last token; undefined once another writer's fence was read. */
  #ownToken: string | undefined;
  #isOwned = false;
  #ownedSince = 0n;
  /** Address of the last known owner. */
  #ownerAddress: string | undefined;
  readonly #doubtful: DoubtfulBatch;
  #mustCheck = false;
  #closed = false;

  constructor(deps: PartitionWriterDeps) {
    this.#deps = deps;
    this.#doubtful = new DoubtfulBatch(deps);
    this.#running = this.#run();
  }

  /** Starts to take over the partition from any owner, and keeps trying until another writer takes it. */
  acquire(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#queue.wake();
  }

  /**
   * Resolves when the log has the event, or when the command has turned out to change nothing. Rejects with the error
   * that `decide` throws, and with NotOwner while another instance owns the partition.
   */
  submit(submission: Submission): Promise<Written> {
    const waiting = new Waiting(submission, this.#deps.now());
    const obstacle = this.#deps.obstacle();
    if (obstacle !== undefined) waiting.reject(obstacle);
    else if (this.#queue.isFull || this.#deps.backlog.isFull()) {
      waiting.reject(new Unavailable('too many commands are waiting'));
    } else if (submission.isCreation === true && !mayBeRepeat(submission)) this.#enqueue(waiting);
    else this.#enqueueLoaded(waiting);
    return waiting.answer;
  }

  /** True if this instance owns the partition, according to the part of the log that it has read. */
  isOwned(): boolean {
    return this.#isOwned;
  }

  /** True if the partition is owned, or is being acquired. */
  isWanted(): boolean {
    return this.#isWanted;
  }

  /** Offset of this writer's fence; undefined unless this writer owns the partition. */
  ownedSince(): bigint | undefined {
    return this.#isOwned ? this.#ownedSince : undefined;
  }

  /** The valid token; undefined unless this writer owns the partition. */
  token(): string | undefined {
    return this.#isOwned ? this.#ownToken : undefined;
  }

  /** The position up to which the owner has read the log. */
  position(): LogPosition {
    return this.#tail?.position ?? { ...emptyFold, offset: 0n };
  }

  /**
   * For metrics. `unprojected` is the number of events that Postgres lacks; 0 while another instance owns the
   * partition.
   */
  sizes() {
    const { backlog, cache, projected } = this.#deps;
    const lag = this.#isOwned ? Number(this.position().offset - projected()) : 0;
    return {
      waiting: this.#queue.length,
      cached: cache.size(),
      backlogBytes: backlog.bytes(),
      unprojected: Math.max(0, lag),
      /** Counts the records whose latest event Postgres lacks. This visits all records in memory. */
      overlay: () => cache.overlaySize(),
    };
  }

  /** Checks the log for another writer's fence, as every append does. */
  checkOwnership(): void {
    this.#mustCheck = true;
    this.#queue.wake();
  }

  /**
   * Stops the writer. Waiting commands are rejected as unavailable. A batch that is already being appended is still
   * resolved.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.wake();
    await this.#running;
    await this.#deps.log.close();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (!this.#isWanted) await this.#queue.sleep();
      else if (!this.#tail || !this.#ownToken || !this.#isFenced) await this.#own();
      else if (this.#mustCheck) await this.#check(this.#tail);
      else if (this.#queue.length === 0) await this.#queue.sleep();
      else await this.#writeBatch(this.#tail, this.#ownToken);
    }
    this.#isOwned = false;
    this.#doubtful.abandon();
    this.#queue.rejectAll(() => new Unavailable('this instance is stopping'));
  }

  /** True if this writer's own fence is valid. A partition that has to be sealed is fenced once more. */
  get #isFenced(): boolean {
    if (this.#deps.seals() && this.#tail?.position.sealed === false) this.#isOwned = false;
    return this.#isOwned;
  }

  async #own(): Promise<void> {
    try {
      const tail = this.#tail ?? (await this.#start());
      if (tail !== undefined) await this.#ownFrom(tail);
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      this.#deps.logger.warn({ err }, 'partition not owned yet');
    }
    if (this.#isWanted && !this.#isOwned && !this.#closed) await this.#deps.pause();
  }

  async #ownFrom(tail: LogTail): Promise<void> {
    const end = await this.#deps.log.end();
    tail.requireEnd(end);
    await this.#readUpTo(tail, end);
    // The last fence is from another writer, which now owns the partition.
    if (this.#ownToken !== undefined && tail.position.token !== this.#ownToken) this.#yield(tail);
    else await this.#take(tail);
  }

  /** Drops all cached state, because it may have changed under another owner. */
  async #start(): Promise<LogTail | undefined> {
    const { log, cache, commands, startFrom, logger } = this.#deps;
    const start = await startFrom();
    if (start === undefined) return undefined;
    cache.clear();
    commands.startAt(start.offset);
    this.#tail = new LogTail(log, start, logger);
    return this.#tail;
  }

  /** Appends a fence with a new token, and reads the log through it, or to the end if the outcome is unknown. */
  async #take(tail: LogTail): Promise<void> {
    const { address, log, logger, newToken, now, owner, seals, versions } = this.#deps;
    const prevToken = tail.position.token;
    this.counts.fences += 1;
    const token = newToken();
    const fence = encodeFence({ token, prevToken, owner, address, occurredAt: now() }, versions());
    let at: bigint;
    try {
      at = await log.append([{ key: 'fence', value: fence, seals: seals() }]);
      await this.#readUpTo(tail, at + 1n);
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      logger.warn({ err }, 'outcome of a fence is unknown');
      at = await log.end();
      await this.#readUpTo(tail, at);
    }
    if (tail.position.token === token) {
      this.#ownToken = token;
      this.#isOwned = true;
      this.#ownedSince = at;
      this.#ownerAddress = address;
      this.counts.won += 1;
      this.#resolveDoubtful(tail);
      this.onOwned();
    } else if (tail.position.token !== prevToken) this.#yield(tail);
  }

  /** Yields the partition to its new owner: resolves the doubtful batch, and hands waiting commands back. */
  #yield(tail: LogTail): void {
    this.#resolveDoubtful(tail);
    if (this.#ownToken !== undefined) this.counts.lost += 1;
    this.#isWanted = false;
    this.#isOwned = false;
    this.#ownToken = undefined;
    const { ownerAddress } = tail;
    this.#ownerAddress = ownerAddress;
    this.#tail = undefined;
    this.#deps.logger.info({ ownerAddress }, 'partition taken by another instance');
    this.#queue.rejectAll(() => new NotOwner(ownerAddress));
  }

  async #check(tail: LogTail): Promise<void> {
    this.#mustCheck = false;
    const isRead = await this.#readToEnd(tail);
    if (isRead && tail.position.token !== this.#ownToken) this.#yield(tail);
  }

  async #writeBatch(tail: LogTail, token: string): Promise<void> {
    const from = tail.position;
    await this.#deps.beforeDeciding?.(from);
    await this.#queue.gather();
    const batch = decideBatch(
      { ...this.#deps, token, sequence: from.sequence },
      this.#queue.take,
      (waiting) => this.#enqueueLoaded(waiting),
    );
    if (batch.messages.length === 0) return this.#resolveUnwritten(tail, batch);
    this.#doubtful.begin(batch);
    await this.#append(tail, batch);
    if (this.#isOwned && tail.position.token !== token) this.#yield(tail);
    else this.#resolveDoubtful(tail);
  }

  /**
   * Reads to the end of the log before it resolves a batch without events: since the states that the outcomes are based
   * on were read, no append has checked for another writer.
   */
  async #resolveUnwritten(tail: LogTail, batch: Batch): Promise<void> {
    if (batch.decided.length === 0) return;
    const isRead = await this.#readToEnd(tail);
    if (isRead && tail.position.token === batch.token) return resolveBatch(this.#deps, batch);
    this.#queue.putBack(batch.decided.map(({ waiting }) => waiting));
    if (isRead) this.#yield(tail);
    else this.#isOwned = false;
  }

  /** Appends the batch. Afterwards the batch is either accepted or doubtful. */
  async #append(tail: LogTail, batch: Batch): Promise<void> {
    const from = tail.position;
    const events = batch.messages.length;
    try {
      const offset = await this.#deps.log.append(batch.messages);
      if (offset === from.offset) {
        const sequence = from.sequence + events;
        tail.moveTo({ ...from, offset: offset + BigInt(events), sequence });
        batch.acceptedAt = offset;
      } else {
        tail.requireEnd(offset);
        await this.#readUpTo(tail, offset + BigInt(events));
      }
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      this.#deps.logger.warn({ err, events }, 'outcome of an append is unknown');
      this.#isOwned = false;
    }
  }

  /** Returns false if Kafka did not respond. */
  async #readToEnd(tail: LogTail): Promise<boolean> {
    try {
      const end = await this.#deps.log.end();
      tail.requireEnd(end);
      await this.#readUpTo(tail, end);
      return true;
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      this.#deps.logger.warn({ err }, 'ownership could not be checked');
      return false;
    }
  }

  async #readUpTo(tail: LogTail, end: bigint): Promise<void> {
    await tail.readUpTo(end, (event, offset) => this.#doubtful.see(event, offset));
  }

  #resolveDoubtful({ position }: LogTail): void {
    this.#queue.putBack(this.#doubtful.resolve(position));
  }

  #enqueueLoaded(waiting: Waiting): void {
    loadCommand(this.#deps, waiting).then(
      (isAnswered) => isAnswered || this.#enqueue(waiting),
      waiting.reject,
    );
  }

  #enqueue(waiting: Waiting): void {
    if (this.#closed) waiting.reject(new Unavailable('this instance is stopping'));
    else if (!this.#isWanted) waiting.reject(new NotOwner(this.#ownerAddress));
    else this.#queue.add(waiting);
  }
}
