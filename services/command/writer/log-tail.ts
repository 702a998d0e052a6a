import type { Logger } from 'pino';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import type { PartitionLog } from './partition-log.ts';

/** An offset, and the state of the fold immediately before it. */
export interface LogPosition extends FoldState {
  readonly offset: bigint;
}

/**
 * A writer's position in its partition, and the state of the fold there. Both advance with reads and with the writer's
 * own appends.
 */
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

  /** The address in the last valid fence. */
  get ownerAddress(): string | undefined {
    return this.#ownerAddress;
  }

  /** Advances over the writer's own events without reading them. */
  moveTo(position: LogPosition): void {
    this.#position = position;
  }

  /**
   * Throws if the log ends at `end`, before the read position: the topic has been replaced, or restored to an older
   * state.
   */
  requireEnd(end: bigint): void {
    const { offset } = this.#position;
    if (end >= offset) return;
    throw new Unavailable(`the log ends at offset ${end}, but was read up to ${offset}`, {
      remedy: 'run annals doctor to check the log',
    });
  }

  /** Reads and folds up to `end`. Calls back for each valid event. */
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
    const taken = takeMessage(this.#position, message);
    if (taken.entry === undefined) {
      if (taken.leftOut !== 'superseded')
        this.#logger.warn({ ...taken.leftOut, offset: String(message.offset) }, 'entry skipped');
      return;
    }
    const { entry, state } = taken;
    this.#position = { ...state, offset: this.#position.offset };
    if (entry.kind === 'event') onEvent(entry.event, message.offset);
    else this.#ownerAddress = entry.fence.address;
  }
}
