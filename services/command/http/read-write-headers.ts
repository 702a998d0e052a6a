import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import { isStepKey } from '../../../shared/domain/record/step-key.ts';
import { parseEntityTags } from '../../../shared/http/entity-tag.ts';

const MAX_KEY_LENGTH = 255;
/** Visible ASCII characters, with spaces between them. */
const keyPattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Returns the Idempotency-Key, or null if the header is missing. Rejects empty and malformed keys, and keys that are
 * reserved for the steps of mass actions and merges.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  const isValid = typeof key === 'string' && key.length <= MAX_KEY_LENGTH && keyPattern.test(key);
  if (isValid && !isStepKey(key)) return key;
  throw new Refusal(
    'invalid',
    'idempotency_key.invalid',
    isValid
      ? 'Idempotency-Key must not have the form of an internal key, such as mass-<id>-….'
      : `Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters.`,
  );
}

/**
 * Reads If-Match, X-Version-Number and X-Skip-Duplicate-Check (also under its older name in the body). Rejects
 * malformed entity tags and versions.
 */
export function readConditions(
  headers: IncomingHttpHeaders,
  body: Readonly<Record<string, unknown>>,
): Conditions {
  const ifMatch = readIfMatch(headers['if-match']);
  const versionNumber = readVersionNumber(headers['x-version-number']);
  const skip = headers['x-skip-duplicate-check'];
  const skipsCheck = skip === undefined ? body['_skipDuplicateCheck'] === true : isOn(skip);
  return {
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(versionNumber === undefined ? {} : { versionNumber }),
    ...(skipsCheck ? { skipDuplicateCheck: true } : {}),
  };
}

/** Returns the value of a boolean header. */
export function isOn(header: string | string[] | undefined): boolean {
  return /^(?:true|1)$/i.test(String(header));
}

/** Weak tags never match (RFC 9110, 13.1.1), and neither do tags in a format other than this API's. */
function readIfMatch(header: string | undefined): Conditions['ifMatch'] {
  if (header === undefined) return undefined;
  const tags = parseEntityTags(header);
  if (tags === 'any') return 'any';
  if (tags === undefined) {
    throw new Refusal('invalid', 'if_match.invalid', 'If-Match must be * or a list of ETags.');
  }
  return tags
    .filter(({ weak }) => !weak)
    .map(({ version }) => version)
    .filter((version) => version !== undefined);
}

function readVersionNumber(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const version = Number(header);
  if (typeof header === 'string' && /^\d{1,10}$/.test(header.trim())) return version;
  throw new Refusal(
    'invalid',
    'version_number.invalid',
    'X-Version-Number must be a whole number.',
  );
}
