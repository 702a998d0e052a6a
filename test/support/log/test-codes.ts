import { readSecretKey } from '../../../infra/local/data-directory/secret-key.ts';
import { createEntryCodes, type EntryCodes } from '../../../shared/secrets/entry-codes.ts';

/** Codes of entries under a key of the tests' own. */
export const testCodes = createEntryCodes('7e'.repeat(32));

/** Those of a product: what is written with them counts as its own. */
export function codesOf({ dataDir }: { readonly dataDir: string }): EntryCodes {
  const key = readSecretKey(dataDir);
  if (key === undefined) throw new Error(`${dataDir} has no key`);
  return createEntryCodes(key);
}
