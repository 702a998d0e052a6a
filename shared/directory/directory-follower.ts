import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createDirectory } from '../domain/directory/directory.ts';
import { stockDefinitions } from '../domain/entity/stock/stock-definitions.ts';
import { Unavailable } from '../domain/errors.ts';
import type { RecordEvent } from '../domain/record/record-event.ts';
import { emptyFold, type FoldState } from '../events/fold.ts';
import { takeMessage } from '../events/take-message.ts';
import {
  createKafkaConnection,
  type KafkaAddress,
  type KafkaConnection,
} from '../kafka/connection.ts';
import {
  endOffset,
  liveRead,
  ReadBeyondLog,
  type ReadMessage,
  readPartitions,
} from '../kafka/read-partitions.ts';

/**
 * Folds the directory log into memory from its beginning and follows it. Consumers of records call `catchUp` before
 * they use the directory for a batch, so that a record change is handled with all webhooks, fields and roles that were
 * acknowledged before it.
 */
export type DirectoryFollower = Pick<LogFollower, keyof LogFollower>;

export type EventListener = (event: RecordEvent, message: ReadMessage) => void;

const RETRY_AFTER_MS = 200;
/** The pause after errors that an operator has to fix first. */
const RETRY_AFTER_REFUSAL_MS = 2_000;

/** Starts reading when `begin` resolves. */
export function followDirectory(
  address: KafkaAddress,
  topic: string,
  log: Logger,
  begin: Promise<void> = Promise.resolve(),
): DirectoryFollower {
  return new LogFollower(address, topic, log, begin);
}

class LogFollower {
  readonly directory = createDirectory(stockDefinitions);
  readonly #topic: string;
  readonly #log: Logger;
  readonly #begin: Promise<void>;
  readonly #reading: KafkaConnection;
  readonly #probing: KafkaConnection;
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<EventListener>();
  readonly #running: Promise<void>;
  #waiting: { readonly offset: bigint; readonly resolve: () => void }[] = [];
  #folded: FoldState = emptyFold;
  #offset = 0n;
  #ownerAddress: string | undefined;
  #closed = false;
  readonly #untilClosed = Promise.withResolvers<void>();

  constructor(address: KafkaAddress, topic: string, log: Logger, begin: Promise<void>) {
    this.#topic = topic;
    this.#log = log;
    this.#begin = begin;
    this.#reading = createKafkaConnection(address, log);
    this.#probing = createKafkaConnection(address, log);
    this.#running = this.#run();
  }

  /** All entries below this offset have been folded. */
  readonly offset = (): bigint => this.#offset;

  /** The address at which the owner of the directory accepts commands, from the last valid fence. */
  readonly ownerAddress = (): string | undefined => this.#ownerAddress;

  readonly waitFor = (offset: bigint): Promise<void> => {
    if (this.#offset >= offset) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ offset, resolve });
    });
  };

  /** Waits until every entry now in the log has been folded. */
  readonly catchUp = async (): Promise<void> => {
    await this.#begin;
    await this.waitFor(await endOffset(this.#probing, this.#topic, 0));
  };

  /** Calls the listener after entries have been folded. Returns a function that removes the listener. */
  readonly onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls the listener with every valid event, starting with the first one if nothing has been read yet. */
  readonly onEvent = (listener: EventListener): void => {
    this.#eventListeners.add(listener);
  };

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    this.#untilClosed.resolve();
    await Promise.all([this.#reading.close(), this.#probing.close()]);
    await this.#running;
  };

  async #run(): Promise<void> {
    await Promise.race([this.#begin, this.#untilClosed.promise]);
    while (!this.#closed) {
      try {
        await this.#readNext();
      } catch (err) {
        if (this.#closed) return;
        if (err instanceof ReadBeyondLog) return this.#stop(err);
        if (!(err instanceof Unavailable)) throw err;
        await sleep(this.#logFailure(err));
      }
    }
  }

  /** Stops following, but keeps the folded state, so that processes that only read can continue. */
  #stop(err: ReadBeyondLog): void {
    this.#log.error({ err }, 'stopped following the directory log');
  }

  /** Logs the error and returns the milliseconds to wait before the next attempt. */
  #logFailure(err: Unavailable): number {
    const isRefused = err.remedy !== undefined;
    // This requires no action: newly created topics do not have a leader yet.
    const level = this.#offset > 0n || isRefused ? 'warn' : 'info';
    this.#log[level]({ err }, 'cannot read the directory log');
    return isRefused ? RETRY_AFTER_REFUSAL_MS : RETRY_AFTER_MS;
  }

  async #readNext(): Promise<void> {
    const position = { topic: this.#topic, partition: 0, offset: this.#offset };
    const [found] = await readPartitions(this.#reading, [position], liveRead);
    if (found === undefined) return;
    for (const message of found.messages) this.#foldMessage(message);
    this.#offset = found.nextOffset;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ offset }) => offset > this.#offset);
    for (const { offset, resolve } of waiting) if (offset <= this.#offset) resolve();
    for (const listener of this.#listeners) listener();
  }

  #foldMessage(message: ReadMessage): void {
    const taken = takeMessage(this.#folded, message);
    this.#folded = taken.state;
    if (taken.entry === undefined) {
      if (taken.leftOut === 'superseded') return;
      const place = { topic: this.#topic, offset: String(message.offset) };
      this.#log.warn({ ...taken.leftOut, ...place }, 'entry skipped');
    } else if (taken.entry.kind === 'fence') this.#ownerAddress = taken.entry.fence.address;
    else {
      this.directory.apply(taken.entry.event);
      for (const listener of this.#eventListeners) listener(taken.entry.event, message);
    }
  }
}
