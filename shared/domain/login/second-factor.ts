import type { RecordState } from '../record/record-state.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/** Entity type of second factors in the directory log. The record id is the user's id. */
export const secondFactorType = 'SecondFactor';

export interface SecondFactor {
  /** Encrypted. */
  readonly totpSecret: string;
  /** Time step of the last accepted code. Neither it nor an older one is accepted again. */
  readonly lastStep: number;
  /** Keyed hashes of the unused recovery codes. */
  readonly recoveryHashes: readonly string[];
}

/** Returns undefined if the user has no second factor. */
export function toSecondFactor(state: RecordState | undefined): SecondFactor | undefined {
  const totpSecret = state?.values['totpSecret'];
  if (state === undefined || state.deleted || typeof totpSecret !== 'string') return undefined;
  return {
    totpSecret,
    lastStep: Number(state.values['lastStep'] ?? 0),
    recoveryHashes: toTexts(state.values['recoveryHashes']),
  };
}

function toTexts(value: AttributeValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
