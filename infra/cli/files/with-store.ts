import type { ExternalStore } from '../../../shared/files/file-store.ts';
import { openFileStore } from '../../../shared/files/open-file-store.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { Installation } from '../installation.ts';

/** Runs `work` with the file store of the installation. Throws OperatorError if none is set. */
export async function withStore<Result>(
  { fileStore }: Pick<Installation, 'fileStore'>,
  work: (store: ExternalStore) => Promise<Result>,
): Promise<Result> {
  return withStoreIfSet({ fileStore }, (store) => {
    if (store !== undefined) return work(store);
    throw new OperatorError(
      'FILES_STORE is not set: set it, and the variables that belong to it, to the values of the api.',
    );
  });
}

/** Runs `work` with the file store of the installation; undefined if files are stored in the log. */
export async function withStoreIfSet<Result>(
  { fileStore }: Pick<Installation, 'fileStore'>,
  work: (store: ExternalStore | undefined) => Promise<Result>,
): Promise<Result> {
  const store = await openFileStore(fileStore);
  try {
    return await work(store);
  } finally {
    store?.close();
  }
}
