import { StorageLow } from '../../../shared/domain/errors.ts';
import { authTokenType } from '../../../shared/domain/login/auth-token.ts';
import { externalIdentityType } from '../../../shared/domain/login/external-identity.ts';
import { secondFactorType } from '../../../shared/domain/login/second-factor.ts';
import { emailType } from '../../../shared/domain/mail/queued-email.ts';
import type { StorageLevel } from '../../../shared/storage/storage-floor.ts';

/**
 * Throws StorageLow if the disk is too full for new data. All code that adds to the log calls this instance first. The
 * parameter is the entity type of the record to change.
 */
export type RequireRoom = (entityType: string) => void;

/**
 * Exempt from the check, because these records are small and their number is limited. Users could not log in without
 * them, and an e-mail may report the lack of space.
 */
const exemptTypes: ReadonlySet<string> = new Set([
  authTokenType,
  emailType,
  externalIdentityType,
  secondFactorType,
]);

export function createRequireRoom(level: () => StorageLevel): RequireRoom {
  return (entityType) => {
    const now = level();
    if (now === 'plenty' || (now === 'low' && exemptTypes.has(entityType))) return;
    throw new StorageLow();
  };
}
