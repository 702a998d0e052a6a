import { withConnection } from '../../../shared/db/pool.ts';
import { haveHash } from '../../../shared/files/file-pieces.ts';
import type { NamedFile } from '../../../shared/files/file-reads.ts';
import type { ExternalStore } from '../../../shared/files/file-store.ts';
import { countStoredBytes, readChunks } from '../../../shared/files/log-chunks.ts';
import type { CommandContext } from '../command-context.ts';
import { countProgress } from '../progress.ts';
import { forEachFile, HashList, listFiles, withFilePool } from './list-files.ts';
import { withStoreIfSet } from './with-store.ts';

export interface VerifiedFiles {
  readonly files: number;
  readonly bytes: number;
  readonly inStore: number;
  readonly missing: HashList;
  readonly damaged: HashList;
}

type Outcome = 'inLog' | 'inStore' | 'missing' | 'damaged';

/** Reads all bytes of the files of all records, and compares them with their hashes. */
export async function verifyFiles({
  installation,
  progress,
}: CommandContext): Promise<VerifiedFiles> {
  return withStoreIfSet(installation, (store) =>
    withFilePool(installation, (pool) =>
      withConnection(installation.connect, async (client) => {
        const files = await listFiles(client);
        const tally = new Tally();
        await countProgress(progress('Verifying files'), files, (add) =>
          forEachFile(client, async (file) => {
            tally.add(await verifyFile(pool, store, file), file);
            add(1);
          }),
        );
        const { bytes, inStore, missing, damaged } = tally;
        return { files, bytes, inStore, missing, damaged };
      }),
    ),
  );
}

class Tally {
  readonly missing = new HashList();
  readonly damaged = new HashList();
  bytes = 0;
  inStore = 0;

  add(outcome: Outcome, file: NamedFile): void {
    if (outcome === 'missing' || outcome === 'damaged') {
      this[outcome].add(file);
      return;
    }
    this.bytes += file.size;
    if (outcome === 'inStore') this.inStore += 1;
  }
}

async function verifyFile(
  pool: Parameters<typeof readChunks>[0],
  store: ExternalStore | undefined,
  file: NamedFile,
): Promise<Outcome> {
  const { sha256, size } = file;
  const range = { from: 0, to: size };
  if ((await countStoredBytes(pool, sha256)) >= size)
    return (await haveHash(readChunks(pool, sha256, range), sha256)) ? 'inLog' : 'damaged';
  const stored = await store?.sizeOf(sha256);
  if (store === undefined || stored === undefined) return 'missing';
  return stored === size && (await haveHash(store.read(sha256, range), sha256))
    ? 'inStore'
    : 'damaged';
}
