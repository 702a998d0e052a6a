import type { ExternalStore } from '../../../shared/files/file-store.ts';
import { claimStore } from '../../../shared/files/owned-store.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { withStoreIfSet } from '../files/with-store.ts';
import type { Installation } from '../installation.ts';
import { countProgress } from '../progress.ts';
import type { Run } from '../rebuild-log/work-schema.ts';
import { type FileList, openBytes } from './backed-up-files.ts';
import type { Backup } from './backup-file.ts';

export interface RestoredFiles {
  /** Files that are in the file store now. */
  readonly restored: number;
  /** Files that neither the backup nor the file store has. */
  readonly missing: number;
}

/** Throws OperatorError if the backup needs a file store, and none is set. */
export function requireStoreFor({ fileStore }: Installation, files: FileList): void {
  const isNeeded = files.values().some(({ place }) => place !== 'log');
  if (!isNeeded || fileStore !== undefined) return;
  throw new OperatorError(
    'The backup has files of a file store: set FILES_STORE, and the variables that belong to it.',
  );
}

/** Stores the files of the backup that the file store lacks. Throws Unavailable for the store of another installation. */
export async function restoreFiles(
  { installation, progress }: Run,
  { directory, backup, files }: { directory: string; backup: Backup; files: FileList },
): Promise<RestoredFiles> {
  const counts = { restored: 0, missing: 0 };
  return withStoreIfSet(installation, async (store) => {
    if (store === undefined || files.size === 0) return counts;
    await claimStore(store, backup.mark.installationId);
    const bytes = openBytes(directory);
    await countProgress(progress('Restoring files'), files.size, async (add) => {
      for (const [sha256, { size, place }] of files) {
        add(1);
        if (place === 'log') continue;
        const isThere = await restoreFile(bytes, store, { sha256, size, place });
        counts[isThere ? 'restored' : 'missing'] += 1;
      }
    });
    return counts;
  });
}

async function restoreFile(
  bytes: ExternalStore,
  store: ExternalStore,
  { sha256, size, place }: { sha256: string; size: number; place: string | undefined },
): Promise<boolean> {
  if (place !== 'backup') return (await store.sizeOf(sha256)) === size;
  // Even if the store has a file of this size, because its bytes may be damaged.
  await store.put({ sha256, size, pieces: bytes.read(sha256, { from: 0, to: size }) });
  return true;
}
