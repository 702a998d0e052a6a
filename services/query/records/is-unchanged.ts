import { parseEntityTags } from '../../../shared/http/entity-tag.ts';

/**
 * Returns whether the client's If-None-Match contains this version of the record. Weak tags match, too (RFC 9110,
 * 13.1.2). A malformed header is ignored: unlike If-Match it does not guard a change, so the response is the record.
 */
export function isUnchanged(ifNoneMatch: string | undefined, version: number): boolean {
  const tags = ifNoneMatch === undefined ? undefined : parseEntityTags(ifNoneMatch);
  return tags === 'any' || tags?.some((tag) => tag.version === version) === true;
}
