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
import { emptyFold, type FoldState, fold } from '../../../shared/events/fold.ts';
import type { LogEntry } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { type Batch, decideBatch } from './decide-batch.ts';
import type { PartitionLog } from './partition-log.ts';
import { type RecordCache, recordKey } from './record-cache.ts';
import type { Submission, Written } from './submission.ts';

export interface LogPosition extends FoldState {
  readonly offset: bigint;
}

export interface PartitionWriter {
  /** Resolves when the log has the event, or when there is nothing to change; rejects with what `decide` throws. */
  submit(submission: Submission): Promise<Written>;
  /** Owned at this moment, as far as this instance knows. */
  isOwned(): boolean;
  /** The valid token while owned. */
  token(): string | undefined;
  /** Everything below this offset is known to the owner. */
  position(): LogPosition;
  close(): Promise<void>;
}

interface PartitionWriterDeps {
  readonly log: PartitionLog;
  readonly cache: RecordCache;
  /** Where the projector stands: what lies before it is in Postgres and needs no reading. */
  readonly startFrom: () => Promise<LogPosition>;
  /** Waited for before each batch (the directory's owner wants its memory up to date). */
  readonly beforeDeciding?: (position: LogPosition) => Promise<void>;
  readonly owner: string;
  readonly address: string;
  readonly newToken: () => string;
  readonly newEventId: () => string;
  readonly now: () => number;
  readonly limits: { readonly maxEvents: number; readonly maxBytes: number };
  readonly logger: Logger;
  /** Between two failed tries to own the partition. */
  readonly retryAfterMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const logStart: LogPosition = { ...emptyFold, offset: 0n };

interface Waiting {
  readonly submission: Submission;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

export function createPartitionWriter(deps: PartitionWriterDeps): PartitionWriter {
  const { log, cache } = deps;
  let queue: Waiting[] = [];
  let position: LogPosition | undefined;
  let ownToken: string | undefined;
  /** Sent, and not known whether it stands. */
  let doubtful: Batch<Waiting> | undefined;
  let wake: () => void = () => undefined;
  let closed = false;
  const running = run();

  async function run(): Promise<void> {
    while (!closed) {
      if (ownToken === undefined) await own();
      else if (queue.length === 0) await sleepUntilWoken();
      else await writeBatch(ownToken);
    }
    for (const { reject } of queue) reject(new Unavailable('this instance is stopping'));
  }

  function sleepUntilWoken(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }

  async function own(): Promise<void> {
    const token = deps.newToken();
    try {
      await fence(token);
      if (position?.token === token) ownToken = token;
      settleDoubtful();
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      deps.logger.warn({ err }, 'partition not owned yet');
    }
    if (ownToken === undefined && !closed) await deps.sleep(deps.retryAfterMs());
  }

  async function fence(token: string): Promise<void> {
    const start = position ?? (await deps.startFrom());
    position = start;
    await readUpTo(await log.end());
    const message = encodeFence({
      token,
      prevToken: position.token,
      owner: deps.owner,
      address: deps.address,
      occurredAt: deps.now(),
    });
    try {
      const offset = await log.append([{ key: 'fence', value: message }]);
      await readUpTo(offset + 1n);
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      deps.logger.warn({ err }, 'outcome of a fence is unknown');
      await readUpTo(await log.end());
    }
  }

  async function writeBatch(token: string): Promise<void> {
    const from = position ?? logStart;
    await deps.beforeDeciding?.(from);
    if (position !== from || queue.length === 0) return;
    const batch = decideBatch({ ...deps, token, sequence: from.sequence }, takeQueue, requeueAfterLoad);
    if (batch.messages.length === 0) return answer(batch, undefined);
    doubtful = batch;
    try {
      const offset = await log.append(batch.messages);
      if (offset === from.offset) standsAt(offset, batch);
      else await readUpTo(offset + BigInt(batch.messages.length));
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      deps.logger.warn({ err, events: batch.messages.length }, 'outcome of an append is unknown');
      ownToken = undefined;
      return;
    }
    if (position?.token !== token) ownToken = undefined;
    settleDoubtful();
  }

  function standsAt(offset: bigint, batch: Batch<Waiting>): void {
    const events = batch.messages.length;
    position = {
      offset: offset + BigInt(events),
      token: batch.token,
      sequence: batch.firstSequence + events - 1,
    };
    batch.acceptedAt = offset;
  }

  /** Reads and folds the log up to `end`; events that are not of the doubtful batch put their records in doubt. */
  async function readUpTo(end: bigint): Promise<void> {
    while (position !== undefined && position.offset < end) {
      const { messages, next } = await log.read(position.offset);
      for (const message of messages) foldMessage(message);
      position = { ...position, offset: next > position.offset ? next : position.offset };
    }
  }

  function foldMessage(message: ReadMessage): void {
    const entry = tryDecode(message);
    const next = entry === undefined || position === undefined ? undefined : fold(position, entry);
    if (entry === undefined || next === undefined) return;
    position = { ...next, offset: position?.offset ?? message.offset };
    if (entry.kind === 'fence') return;
    const { event } = entry;
    const ours = doubtful !== undefined && event.token === doubtful.token;
    if (ours && event.sequence === doubtful?.firstSequence) doubtful.acceptedAt = message.offset;
    if (!ours) cache.distrust(recordKey(event.entityType, event.recordId), message.offset);
  }

  function tryDecode(message: ReadMessage): LogEntry | undefined {
    try {
      return decodeLogEntry(message.value);
    } catch (err) {
      deps.logger.warn({ err, offset: String(message.offset) }, 'unreadable entry skipped');
      return undefined;
    }
  }

  /** Decides the batch in doubt as soon as the log has: it stands, or its token is dead and it never will. */
  function settleDoubtful(): void {
    const batch = doubtful;
    if (batch === undefined) return;
    if (batch.acceptedAt !== undefined) {
      doubtful = undefined;
      answer(batch, batch.acceptedAt);
    } else if (position?.token !== batch.token) {
      doubtful = undefined;
      withdraw(batch);
    }
  }

  /** Frees everyone whose outcome the batch decided. */
  function answer(batch: Batch<Waiting>, firstOffset: bigint | undefined): void {
    for (const { waiting, outcome } of batch.decided) {
      if (outcome.kind === 'refused') waiting.reject(outcome.error);
      else if (outcome.kind === 'unchanged') {
        waiting.resolve({ state: outcome.state, offset: cache.lastOffset(outcome.key) });
      } else {
        const offset = (firstOffset ?? 0n) + BigInt(outcome.index);
        cache.confirm(outcome.key, outcome.state, offset);
        waiting.resolve({ state: outcome.state, offset, event: outcome.event });
      }
    }
  }

  /** Nothing of the batch happened: its commands are decided again, in their old order. */
  function withdraw(batch: Batch<Waiting>): void {
    const doubtUpTo = (position?.offset ?? 0n) - 1n;
    for (const { outcome } of batch.decided) {
      if (outcome.kind === 'event') cache.distrust(outcome.key, doubtUpTo);
    }
    queue = [...batch.decided.map(({ waiting }) => waiting), ...queue];
  }

  function takeQueue(): Waiting | undefined {
    return queue.shift();
  }

  function requeueAfterLoad(waiting: Waiting): void {
    void load(waiting.submission).then(
      () => enqueue(waiting),
      (error: unknown) => waiting.reject(error),
    );
  }

  function load({ entityType, recordId, isCreation }: Submission): Promise<void> {
    return isCreation ? Promise.resolve() : cache.load(entityType, recordId);
  }

  function enqueue(waiting: Waiting): void {
    if (closed) return waiting.reject(new Unavailable('this instance is stopping'));
    queue.push(waiting);
    wake();
  }

  return {
    submit: (submission) =>
      new Promise<Written>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Unavailable('the log did not take the change in time; it may still do so')),
          Math.max(0, submission.deadline - deps.now()),
        );
        const waiting: Waiting = {
          submission,
          resolve: (written) => {
            clearTimeout(timer);
            resolve(written);
          },
          reject: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        };
        if (submission.isCreation) enqueue(waiting);
        else requeueAfterLoad(waiting);
      }),
    isOwned: () => ownToken !== undefined,
    token: () => ownToken,
    position: () => position ?? logStart,
    async close() {
      closed = true;
      wake();
      await running;
      await log.close();
    },
  };
}
