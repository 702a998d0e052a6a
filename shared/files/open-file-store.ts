import type { FileStoreSettings } from '../config/file-store-settings.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { countFailures } from './count-failures.ts';
import { createDirectoryStore } from './directory-store.ts';
import type { ExternalStore } from './file-store.ts';

/** Opens the store of the settings, without connecting to it; undefined if files are stored in the log. */
export async function openFileStore(
  settings: FileStoreSettings | undefined,
  metrics?: Metrics,
): Promise<ExternalStore | undefined> {
  const store = settings === undefined ? undefined : await open(settings);
  return metrics === undefined ? store : countFailures(store, metrics);
}

async function open(settings: FileStoreSettings): Promise<ExternalStore> {
  if (settings.kind === 'directory') return createDirectoryStore(settings.directory);
  // Loaded only when used: the client takes 30 MB of memory.
  const { createS3Store } = await import('./s3-store.ts');
  return createS3Store(settings);
}
