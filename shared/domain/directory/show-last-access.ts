import type { Directory } from './directory.ts';

const attribute = 'lastAccess';

/** Fills in, in place, the last access of users if it is asked for: no record and no table has it. */
export function showLastAccess(
  entityType: string,
  bodies: readonly Record<string, unknown>[],
  { lastAccessOf }: Pick<Directory, 'lastAccessOf'>,
): void {
  if (entityType !== 'User') return;
  for (const body of bodies) {
    if (attribute in body) body[attribute] = lastAccessOf(String(body['id']));
  }
}
