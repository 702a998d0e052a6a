import { Refusal } from '../errors.ts';
import { type AttributeValues, sameValue } from '../value/attribute-values.ts';
import type { RecordState } from './record-state.ts';

/** The client's conditions on the record that it wants to change. Plain data, because it travels between instances. */
export interface Conditions {
  /** Versions of which the record must have one (If-Match); `any`: it only has to exist. */
  readonly ifMatch?: 'any' | readonly number[];
  /**
   * The version that the client has seen (X-Version-Number). It matters only if the request really changes something.
   */
  readonly versionNumber?: number;
  /** Creates the record even if it has duplicates (X-Skip-Duplicate-Check). */
  readonly skipDuplicateCheck?: boolean;
  /** Creates the record without values of required fields. No request of a client sets it. */
  readonly allowsMissingFields?: boolean;
  /** Refuses fields that are closed to the user, instead of ignoring them. No request of a client sets it. */
  readonly refusesClosed?: boolean;
}

/** Refuses a record whose version If-Match does not name. Only who may read the record is told its version. */
export function requireMatch(
  { version }: RecordState,
  { ifMatch }: Conditions,
  { isReadable = true }: { readonly isReadable?: boolean } = {},
): void {
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(version)) return;
  throw new Refusal(
    'precondition_failed',
    'record.version_differs',
    `The record has ${isReadable ? `version ${version}` : 'another version'}.`,
  );
}

/**
 * Refuses to overwrite values that the client has not seen: the record has another version, and at least one of the
 * attributes `sent` differs (docs/reference/espocrm-compatibility.md#version-numbers). The error holds the stored values of
 * those. A client that may not read the record learns neither the values nor whether they differ.
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

/** The answer that clients know. */
function modified(body: {
  readonly values: AttributeValues;
  readonly versionNumber: number | null;
}): Refusal {
  return new Refusal('conflict', 'record.modified', 'modified', { body });
}
