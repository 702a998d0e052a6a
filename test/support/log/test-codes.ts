import { readSecretKey } from '../../../infra/local/data-directory/secret-key.ts';
import { createEntryCodes, type EntryCodes } from '../../../shared/secrets/entry-codes.ts';

/** Authentication codes under a key of the tests. */
export const testCodes = createEntryCodes('7e'.repeat(32));

/** Authentication codes of a product, with which entries count as its own. */
export function codesOf({ dataDir }: { readonly dataDir: string }): EntryCodes {
  const key = readSecretKey(dataDir);
  if (key === undefined) throw new Error(`${dataDir} has no key`);
  return createEntryCodes(key);
}
