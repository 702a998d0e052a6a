import { StorageLow } from '../../../shared/domain/errors.ts';
import { authTokenType } from '../../../shared/domain/login/auth-token.ts';
import { secondFactorType } from '../../../shared/domain/login/second-factor.ts';
import type { StorageLevel } from '../../../shared/storage/storage-floor.ts';

/**
 * Throws StorageLow where the disk has no room for something new. Whatever adds to the log calls it before; there is one
 * for all of them. The entity type is that of the record to be changed.
 */
export type RequireRoom = (entityType: string) => void;

/** They are small, and without them nobody could log in to read. */
const loginTypes: ReadonlySet<string> = new Set([authTokenType, secondFactorType]);

export function createRequireRoom(level: () => StorageLevel): RequireRoom {
  return (entityType) => {
    const now = level();
    if (now === 'plenty' || (now === 'low' && loginTypes.has(entityType))) return;
    throw new StorageLow();
  };
}
