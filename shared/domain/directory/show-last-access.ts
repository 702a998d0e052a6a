import type { Directory } from './directory.ts';

const attribute = 'lastAccess';

/** Fills in the last access of a user if it is asked for: no record and no table has it. */
export function showLastAccess(
  body: Record<string, unknown>,
  { lastAccessOf }: Pick<Directory, 'lastAccessOf'>,
): void {
  if (attribute in body) body[attribute] = lastAccessOf(String(body['id']));
}
