import type { Logger } from 'pino';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { type FoldState, fold } from '../../../shared/events/fold.ts';
import type { LogEntry, LoggedEvent } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import type { PartitionLog } from './partition-log.ts';

/** An offset, and the state of the fold right before it. */
export interface LogPosition extends FoldState {
  readonly offset: bigint;
}

/** How far a writer knows its partition: by reading it, or by having written it. */
export class LogTail {
  readonly #log: PartitionLog;
  readonly #logger: Logger;
  #position: LogPosition;
  #ownerAddress: string | undefined;

  constructor(log: PartitionLog, start: LogPosition, logger: Logger) {
    this.#log = log;
    this.#position = start;
    this.#logger = logger;
  }

  get position(): LogPosition {
    return this.#position;
  }

  /** Of the last valid fence that was read. */
  get ownerAddress(): string | undefined {
    return this.#ownerAddress;
  }

  /** What we have written ourselves needs no reading. */
  moveTo(position: LogPosition): void {
    this.#position = position;
  }

  /** Reads and folds up to `end`, and tells of each event that counts. */
  async readUpTo(
    end: bigint,
    onEvent: (event: LoggedEvent, offset: bigint) => void,
  ): Promise<void> {
    while (this.#position.offset < end) {
      const { messages, next } = await this.#log.read(this.#position.offset);
      for (const message of messages) this.#fold(message, onEvent);
      if (next > this.#position.offset) this.#position = { ...this.#position, offset: next };
    }
  }

  #fold(message: ReadMessage, onEvent: (event: LoggedEvent, offset: bigint) => void): void {
    const entry = this.#decode(message);
    const next = entry === undefined ? undefined : fold(this.#position, entry);
    if (entry === undefined || next === undefined) return;
    this.#position = { ...next, offset: this.#position.offset };
    if (entry.kind === 'event') onEvent(entry.event, message.offset);
    else this.#ownerAddress = entry.fence.address;
  }

  #decode(message: ReadMessage): LogEntry | undefined {
    try {
      return decodeLogEntry(message.value);
    } catch (err) {
      if (!(err instanceof UnreadableMessage)) throw err;
      this.#logger.warn({ err, offset: String(message.offset) }, 'unreadable entry skipped');
      return undefined;
    }
  }
}
