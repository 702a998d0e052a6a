import { StorageLow, Unavailable } from '../domain/errors.ts';

export function storeFull(cause: unknown): StorageLow {
  return new StorageLow({
    message: 'The file store is full. Uploads are rejected until it has free space.',
    remedy: 'free space in the file store, or enlarge it',
    cause,
  });
}

/** The bytes differ from the hash under which they were going to be stored. Nothing was stored. */
export function changedWhileStored(): Unavailable {
  return new Unavailable('The file changed while it was being stored. Try again.');
}
