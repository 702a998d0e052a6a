import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../../../../shared/domain/errors.ts';
import {
  type AddressedMessage,
  type PositionWithMetadata,
  TransactionSuperseded,
  type Transactor,
} from '../../../../shared/kafka/transactor.ts';

/** The content of a transaction. Every commit moves its positions, or their metadata. */
interface Commit {
  readonly messages: readonly AddressedMessage[];
  readonly positions: readonly PositionWithMetadata[];
}

export interface CommitSurelyDeps {
  readonly transactor: Transactor;
  /** The committed positions; those never committed are missing. */
  readonly stored: readonly PositionWithMetadata[];
  readonly log: Logger;
}

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

/**
 * Commits exactly once, with as many attempts as it takes. After an error only the log knows whether the transaction
 * took place: then the stored position is the new one or still the old one. If it is neither, another process has taken
 * over, and TransactionSuperseded is thrown. Returns false if `stopped` came first.
 */
export function createCommitSurely({ transactor, stored, log }: CommitSurelyDeps) {
  const committed = new Map(stored.map((position) => [placeOf(position), textOf(position)]));

  async function isCommitted({ positions: [first] }: Commit): Promise<boolean> {
    if (first === undefined) return false;
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
      await transactor.commit(commit.messages, commit.positions);
      return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.warn({ err: error, messages: commit.messages.length }, 'endings not recorded yet');
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
    return true;
  };
}

function placeOf({ topic, partition }: PositionWithMetadata): string {
  return `${topic}/${partition}`;
}

function textOf({ offset, metadata = '' }: PositionWithMetadata): string {
  return `${offset} ${metadata}`;
}
