import { parseEntityTags } from '../../../shared/http/entity-tag.ts';

/**
 * Whether a client that sent this If-None-Match has this version of the record. Weak tags count too (RFC 9110, 13.1.2).
 * A header that is neither `*` nor a list of tags asks for nothing: unlike If-Match it guards no change, so the record
 * is simply answered.
 */
export function isUnchanged(ifNoneMatch: string | undefined, version: number): boolean {
  const tags = ifNoneMatch === undefined ? undefined : parseEntityTags(ifNoneMatch);
  return tags === 'any' || tags?.some((tag) => tag.version === version) === true;
}
