import { readSecretKey } from '../../../infra/local/data-directory/secret-key.ts';
import { createEntryCodes, type EntryCodes } from '../../../shared/secrets/entry-codes.ts';

/** Authentication codes under a test key. */
export const testCodes = createEntryCodes('7e'.repeat(32));

/** Returns the authentication codes of a product, whose processes accept entries with them. */
export function codesOf({ dataDir }: { readonly dataDir: string }): EntryCodes {
  const key = readSecretKey(dataDir);
  if (key === undefined) throw new Error(`${dataDir} has no secret key`);
  return createEntryCodes(key);
}
