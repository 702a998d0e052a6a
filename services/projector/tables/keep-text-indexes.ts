import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { outageOf } from '../../../shared/db/outage-of.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { buildTextIndexes } from './build-text-indexes.ts';

interface TextIndexDeps {
  /** A new connection each time. */
  readonly connect: () => Promise<Client>;
  /** As the directory has them now: indexes of others are dropped. */
  readonly models: () => Promise<readonly EntityModel[]>;
  readonly log: Logger;
  onBug(error: unknown): void;
}

/** Tables come with entity definitions and with rebuilds, by whichever process; nobody waits for these indexes. */
const LOOK_EVERY_MS = 30_000;

/**
 * Looks for indexes to build as long as the projector runs, beside it and on connections of its own. One that is not
 * finished when it ends is built anew by the next.
 */
export function keepTextIndexes(deps: TextIndexDeps): { close(): Promise<void> } {
  const closing = new AbortController();
  let client: Client | undefined;

  async function look(): Promise<boolean> {
    const models = await deps.models();
    client = await deps.connect();
    try {
      return await buildTextIndexes(client, models);
    } finally {
      await client.end().catch(() => undefined);
      client = undefined;
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        if (!(await look())) {
          deps.log.warn('Postgres has no pg_trgm: searches in the middle of a text are slow');
          return;
        }
      } catch (err) {
        if (closing.signal.aborted) return;
        if (!(err instanceof Unavailable) && outageOf(err) === undefined) deps.onBug(err);
        deps.log.info({ err }, 'indexes for searches not built now');
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async close() {
      closing.abort();
      // In the middle of a statement it is cut off.
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
