import type { Logger } from 'pino';
import { createDirectory, type Directory } from '../domain/directory/directory.ts';
import { stockDefinitions } from '../domain/entity/stock/stock-definitions.ts';
import { Unavailable, UnreadableMessage } from '../domain/errors.ts';
import { emptyFold, type FoldState, fold } from '../events/fold.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import { createKafkaConnection, type KafkaAddress } from '../kafka/connection.ts';
import { endOffset, liveRead, type ReadMessage, readPartitions } from '../kafka/read-partitions.ts';

/**
 * Folds the directory log into memory from its beginning and goes on following it. Consumers of records ask
 * `catchUp` before they use the directory for a batch: a webhook, field or role that was acknowledged before a record
 * changed is then always known for that change.
 */
export interface DirectoryFollower {
  readonly directory: Directory;
  /** Everything below this offset is folded. */
  offset(): bigint;
  waitFor(offset: bigint): Promise<void>;
  /** Waits until everything that is in the log now is folded. */
  catchUp(): Promise<void>;
  /** Called after entries were folded. */
  onChange(listener: () => void): void;
  /** Where the writer of the directory takes commands, from the last valid fence. */
  ownerAddress(): string | undefined;
  close(): Promise<void>;
}

const RETRY_AFTER_MS = 200;

export function followDirectory(
  address: KafkaAddress,
  topic: string,
  log: Logger,
): DirectoryFollower {
  const directory = createDirectory(stockDefinitions);
  const reading = createKafkaConnection(address, log);
  const asking = createKafkaConnection(address, log);
  let waiting: { readonly offset: bigint; readonly resolve: () => void }[] = [];
  let position: FoldState & { readonly offset: bigint } = { ...emptyFold, offset: 0n };
  let ownerAddress: string | undefined;
  const listeners: (() => void)[] = [];
  let closed = false;
  const running = run();

  async function run(): Promise<void> {
    while (!closed) {
      try {
        const [found] = await readPartitions(
          reading,
          [{ topic, partition: 0, offset: position.offset }],
          liveRead,
        );
        if (found === undefined) continue;
        for (const message of found.messages) foldMessage(message);
        position = { ...position, offset: found.nextOffset };
        release();
        for (const listener of listeners) listener();
      } catch (err) {
        if (closed) return;
        if (!(err instanceof Unavailable)) throw err;
        log.warn({ err }, 'directory cannot be read now');
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      }
    }
  }

  function foldMessage(message: ReadMessage): void {
    try {
      const entry = decodeLogEntry(message.value);
      const next = fold(position, entry);
      if (next === undefined) return;
      position = { ...next, offset: position.offset };
      if (entry.kind === 'fence') ownerAddress = entry.fence.address;
      else directory.apply(entry.event);
    } catch (err) {
      if (!(err instanceof UnreadableMessage)) throw err;
      log.warn({ err, topic, offset: String(message.offset) }, 'unreadable entry skipped');
    }
  }

  function release(): void {
    waiting = waiting.filter(({ offset, resolve }) => {
      if (position.offset >= offset) resolve();
      return position.offset < offset;
    });
  }

  function waitFor(offset: bigint): Promise<void> {
    if (position.offset >= offset) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push({ offset, resolve });
    });
  }

  return {
    directory,
    offset: () => position.offset,
    waitFor,
    catchUp: async () => waitFor(await endOffset(asking, topic, 0)),
    onChange: (listener) => {
      listeners.push(listener);
    },
    ownerAddress: () => ownerAddress,
    async close() {
      closed = true;
      await Promise.all([reading.close(), asking.close()]);
      await running;
    },
  };
}
