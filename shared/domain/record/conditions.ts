import { Refusal } from '../errors.ts';
import { type AttributeValues, sameValue } from './attribute-values.ts';
import type { RecordState } from './record-state.ts';

/** What a client demands of the version that it wants to change. Plain data: it travels between instances. */
export interface Conditions {
  /** Versions of which the record must have one (If-Match); `any`: it only has to exist. */
  readonly ifMatch?: 'any' | readonly number[];
  /**
   * The version that the client has seen (X-Version-Number); it matters only if the change really changes something.
   */
  readonly versionNumber?: number;
  /** Creates the record even if others are like it (X-Skip-Duplicate-Check). */
  readonly skipDuplicateCheck?: boolean;
}

/** Refuses a record of another version than If-Match names. */
export function requireMatch({ version }: RecordState, { ifMatch }: Conditions): void {
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(version)) return;
  throw new Refusal(
    'precondition_failed',
    'record.version_differs',
    `The record has version ${version}.`,
  );
}

/**
 * Refuses to overwrite values that the client has not seen: the record has another version, and at least one of the
 * attributes `sent` differs (docs/reference/espocrm-compatibility.md#version-numbers).
 */
export function requireUnmodified(
  { version, values }: RecordState,
  { versionNumber }: Conditions,
  sent: AttributeValues,
): void {
  if (versionNumber === undefined || versionNumber === version) return;
  const differing = Object.entries(sent)
    .map(([attribute, value]) => ({ attribute, value, stored: values[attribute] ?? null }))
    .filter(({ value, stored }) => !sameValue(stored, value));
  if (differing.length === 0) return;
  const stored = differing.map((one) => [one.attribute, one.stored] as const);
  throw new Refusal('conflict', 'record.modified', 'modified', {
    body: { values: Object.fromEntries(stored), versionNumber: version },
  });
}
