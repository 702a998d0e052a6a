import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../../../../shared/domain/errors.ts';
import {
  type AddressedMessage,
  type PositionWithMetadata,
  TransactionSuperseded,
  type Transactor,
} from '../../../../shared/kafka/transactor.ts';

/**
 * The content of a transaction. Every commit moves its positions or changes their metadata. A commit without positions
 * contains sequences.
 */
interface Commit {
  readonly messages: readonly AddressedMessage[];
  readonly positions: readonly PositionWithMetadata[];
  /** Entries for the compacted topic of sequence numbers. Only this partition's owner writes their keys. */
  readonly sequences: readonly AddressedMessage[];
}

export type CommitSurely = ReturnType<typeof createCommitSurely>;

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

/**
 * Commits exactly once, with as many attempts as necessary. After an error, the stored position shows whether the
 * transaction was committed: it is the new position, or still the old one. If it is neither, another process has taken
 * over, and TransactionSuperseded is thrown. Without positions, the sequence numbers are compared instead. Returns
 * false if `stopped` returns true before the commit succeeds.
 */
export function createCommitSurely(
  transactor: Transactor,
  log: Logger,
  before: {
    /** The committed positions. Partitions without a committed position are missing. */
    readonly stored: readonly PositionWithMetadata[];
    readonly sequences: ReadonlyMap<string, string>;
    /** Reads the sequence numbers again. Throws Unavailable. */
    loadSequences(): Promise<ReadonlyMap<string, string>>;
  },
) {
  const committed = new Map(before.stored.map((one) => [placeOf(one), textOf(one)]));
  const sequences = new Map(before.sequences);

  async function areSequencesCommitted(written: Commit['sequences']): Promise<boolean> {
    const changed = written.find(({ key, value }) => sequences.get(key) !== String(value));
    if (changed === undefined) return false;
    // Fences any other owner and ends open transactions, so that the values do not change after they are read.
    await transactor.takeOver();
    const { key, value } = changed;
    const found = (await before.loadSequences()).get(key);
    if (found === String(value)) return true;
    if (found === sequences.get(key)) return false;
    throw new TransactionSuperseded(`sequence numbers of ${key} were written by another process`);
  }

  async function isCommitted({ positions: [first], sequences: written }: Commit): Promise<boolean> {
    if (first === undefined) return areSequencesCommitted(written);
    const found = await transactor.positionsWithMetadata(first.topic);
    const there = found.find(({ partition }) => partition === first.partition);
    const text = there === undefined ? undefined : textOf(there);
    if (text === textOf(first)) return true;
    if (text === committed.get(placeOf(first))) return false;
    throw new TransactionSuperseded(`position of ${placeOf(first)} was moved by another process`);
  }

  async function tryCommit(commit: Commit, isInDoubt: boolean): Promise<boolean> {
    try {
      if (isInDoubt && (await isCommitted(commit))) return true;
      await transactor.commit([...commit.messages, ...commit.sequences], commit.positions);
      return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.warn(
        { err: error, messages: commit.messages.length },
        'outcomes could not be recorded, retrying',
      );
      return false;
    }
  }

  return async (commit: Commit, stopped: () => boolean): Promise<boolean> => {
    let delayMs = FIRST_DELAY_MS;
    while (!(await tryCommit(commit, delayMs > FIRST_DELAY_MS))) {
      if (stopped()) return false;
      await sleep(delayMs);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
    for (const position of commit.positions) committed.set(placeOf(position), textOf(position));
    for (const { key, value } of commit.sequences) sequences.set(key, String(value));
    return true;
  };
}

function placeOf({ topic, partition }: PositionWithMetadata): string {
  return `${topic}/${partition}`;
}

function textOf({ offset, metadata = '' }: PositionWithMetadata): string {
  return `${offset} ${metadata}`;
}
