import { parseEntityTags } from '../../../shared/http/entity-tag.ts';

/**
 * Whether the client's If-None-Match names this version of the record. Weak tags count, too (RFC 9110, 13.1.2). A
 * malformed header is ignored: unlike If-Match it guards no change, so the record is simply answered.
 */
export function isUnchanged(ifNoneMatch: string | undefined, version: number): boolean {
  const tags = ifNoneMatch === undefined ? undefined : parseEntityTags(ifNoneMatch);
  return tags === 'any' || tags?.some((tag) => tag.version === version) === true;
}
