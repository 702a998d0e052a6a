import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { outageOf } from '../../../shared/db/outage-of.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { buildTextIndexes } from './build-text-indexes.ts';

interface TextIndexDeps {
  /** A new connection each time. */
  readonly connect: () => Promise<Client>;
  readonly follower: Pick<DirectoryFollower, 'catchUp' | 'directory'>;
  readonly log: Logger;
  onBug(error: unknown): void;
}

/** Tables come with entity definitions and with rebuilds, by whichever process; nobody waits for these indexes. */
const LOOK_EVERY_MS = 15_000;

/**
 * Looks for indexes to build as long as the projector runs, beside it and on connections of its own. One that is not
 * finished when it ends is built anew by the next.
 */
export function keepTextIndexes(deps: TextIndexDeps): { close(): Promise<void> } {
  const { follower, log } = deps;
  const closing = new AbortController();
  const isClosing = () => closing.signal.aborted;
  let client: Client | undefined;

  async function look(): Promise<void> {
    // Indexes of entity types that it does not know would be dropped.
    await follower.catchUp();
    client = await deps.connect();
    try {
      if (isClosing()) return;
      if (await buildTextIndexes(client, follower.directory.entities())) return;
      log.warn('Postgres has no pg_trgm: searches in the middle of a text are slow');
      closing.abort();
    } finally {
      await client.end().catch(() => undefined);
      client = undefined;
    }
  }

  function note(err: unknown): void {
    if (isClosing()) return;
    if (!(err instanceof Unavailable) && outageOf(err) === undefined) deps.onBug(err);
    log.info({ err }, 'indexes for searches not built now');
  }

  async function run(): Promise<void> {
    while (!isClosing()) {
      await look().catch(note);
      await sleep(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  void run();
  return {
    async close() {
      closing.abort();
      // In the middle of a statement it is cut off; for a directory that cannot be read nobody waits.
      await client?.end().catch(() => undefined);
    },
  };
}
