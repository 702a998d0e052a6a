import type { FileStoreSettings } from '../config/file-store-settings.ts';
import { createDirectoryStore } from './directory-store.ts';
import type { ExternalStore } from './file-store.ts';

/** Opens the store of the settings, without connecting to it; undefined if files are stored in the log. */
export async function openFileStore(
  settings: FileStoreSettings | undefined,
): Promise<ExternalStore | undefined> {
  if (settings === undefined) return undefined;
  if (settings.kind === 'directory') return createDirectoryStore(settings.directory);
  // Loaded only when used: the client takes 30 MB of memory.
  const { createS3Store } = await import('./s3-store.ts');
  return createS3Store(settings);
}
