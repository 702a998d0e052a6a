import type { FastifyReply } from 'fastify';

/** Attributes that every record has but no definition lists. */
export const keyAttributes: ReadonlySet<string> = new Set(['id', 'deleted', 'versionNumber']);

/** Limits the size of the header, regardless of the number of names that a client sends. */
const MAX_NAMED = 50;
const MAX_NAME_LENGTH = 100;
const MAX_NAMES_LENGTH = 2_000;

/**
 * Sets `X-Ignored-Attributes` to the request's attributes that had no effect: percent-encoded, in the order of the
 * request, and only as many as fit.
 */
export function setIgnoredHeader(reply: FastifyReply, names: Iterable<string>): void {
  const header = toHeader([...new Set(names)].slice(0, MAX_NAMED));
  if (header !== '') void reply.header('X-Ignored-Attributes', header);
}

function toHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    if (name.length > MAX_NAME_LENGTH) continue;
    const encoded = encodeURIComponent(name.toWellFormed());
    const longer = header === '' ? encoded : `${header}, ${encoded}`;
    if (longer.length > MAX_NAMES_LENGTH) break;
    header = longer;
  }
  return header;
}
