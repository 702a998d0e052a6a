import { setTimeout as sleep } from 'node:timers/promises';
import { countStoredBytes } from '../../../shared/db/file-store.ts';
import { PROJECTED_WITHIN_MS } from '../../../shared/db/until-projected.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Queryable } from '../../../shared/search/run-statement.ts';

/** The file of an attachment. */
export interface FoundFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
}

const POLL_MS = 50;

/**
 * Resolves when Postgres has all bytes of a file. They are in the log before the record is written, but travel over a
 * topic of their own, so the record may be readable a moment earlier.
 */
export async function untilStored(
  pool: Queryable,
  { sha256, size }: Pick<FoundFile, 'sha256' | 'size'>,
): Promise<void> {
  const deadline = Date.now() + PROJECTED_WITHIN_MS;
  while ((await countStoredBytes(pool, sha256)) < size) {
    if (Date.now() > deadline) {
      throw new Unavailable('the file is in the log, but cannot be read yet');
    }
    await sleep(POLL_MS);
  }
}
