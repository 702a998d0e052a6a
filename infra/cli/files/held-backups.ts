import type { ExternalStore } from '../../../shared/files/file-store.ts';

/**
 * Notes in the file store that name the files of backups without bytes. A collection of unused files keeps these files,
 * even if the log no longer names them because an earlier state was restored.
 */
const notePrefix = 'backup-';

interface HeldBackup {
  readonly id: string;
  readonly takenAt: string;
  readonly directory: string;
  /** By hash. */
  readonly files: ReadonlyMap<string, { readonly place: string | undefined }>;
}

/** Replaces the note of a previous backup into the same directory. */
export async function holdBackup(
  { notes }: ExternalStore,
  { id, takenAt, directory, files }: HeldBackup,
): Promise<void> {
  const hashes = [...files].filter(([, { place }]) => place === 'store').map(([hash]) => hash);
  const lines = [`${takenAt} ${directory}`, ...hashes];
  await notes.write(`${notePrefix}${id}`, Buffer.from(lines.join('\n')));
}

/** Also succeeds without a note. */
export async function releaseBackup({ notes }: ExternalStore, id: string): Promise<void> {
  await notes.delete(`${notePrefix}${id}`);
}

/** Returns the backups that need files in the store, with the hashes of these files. */
export async function readHeldBackups({ notes }: ExternalStore) {
  const names = (await notes.list()).filter((name) => name.startsWith(notePrefix));
  const held = [];
  for (const name of names) {
    const [description = '', ...hashes] = ((await notes.read(name)) ?? '').toString().split('\n');
    held.push({ id: name.slice(notePrefix.length), description, hashes });
  }
  return held;
}
