import { Refusal } from '../errors.ts';
import { type AttributeValues, sameValue } from '../value/attribute-values.ts';
import type { RecordState } from './record-state.ts';

/** A client's preconditions for a write. Plain data, because commands are forwarded between instances. */
export interface Conditions {
  /** The versions that the record may have (If-Match). With `any`, the record only has to exist. */
  readonly ifMatch?: 'any' | readonly number[];
  /** The version that the client last read (X-Version-Number). Checked only if the request changes a value. */
  readonly versionNumber?: number;
  /** Creates the record even if it has duplicates (X-Skip-Duplicate-Check). */
  readonly skipDuplicateCheck?: boolean;
  /** Creates the record even if required fields have no value. Never set by client requests. */
  readonly allowsMissingFields?: boolean;
  /** Rejects fields that are closed to the user instead of ignoring them. Never set by client requests. */
  readonly refusesClosed?: boolean;
}

/** Throws if If-Match does not include the record's version. The version is revealed only to users with read access. */
export function requireMatch(
  { version }: RecordState,
  { ifMatch }: Conditions,
  { isReadable = true }: { readonly isReadable?: boolean } = {},
): void {
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(version)) return;
  throw new Refusal(
    'precondition_failed',
    'record.version_differs',
    `The record has ${isReadable ? `version ${version}` : 'a different version'}.`,
  );
}

/**
 * Throws instead of overwriting values that the client has not seen: if the record's version differs, and at least one
 * attribute in `sent` as well (docs/reference/espocrm-compatibility.md#version-numbers). The error contains the stored
 * values of those attributes. Without read access it reveals neither the values nor whether they differ.
 */
export function requireUnmodified(
  { version, values }: RecordState,
  { versionNumber }: Conditions,
  sent: AttributeValues,
  { isReadable = true }: { readonly isReadable?: boolean } = {},
): void {
  if (versionNumber === undefined || versionNumber === version) return;
  if (!isReadable) throw modified({ values: {}, versionNumber: null });
  const differing = Object.entries(sent)
    .map(([attribute, value]) => ({ attribute, value, stored: values[attribute] ?? null }))
    .filter(({ value, stored }) => !sameValue(stored, value));
  if (differing.length === 0) return;
  const stored = differing.map((one) => [one.attribute, one.stored] as const);
  throw modified({ values: Object.fromEntries(stored), versionNumber: version });
}

/** Builds the response that published clients expect. */
function modified(body: {
  readonly values: AttributeValues;
  readonly versionNumber: number | null;
}): Refusal {
  return new Refusal('conflict', 'record.modified', 'modified', { body });
}
