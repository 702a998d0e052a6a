import type { Directory } from './directory.ts';

const attribute = 'lastAccess';

/** Fills in, in place, when users last were there, where that is shown: it stands in no record and no table. */
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
