import type { RecordState } from '../record/record-state.ts';

/** Entity type of second factors in the directory log. The id is the user's. */
export const secondFactorType = 'SecondFactor';

export interface SecondFactor {
  /** Sealed. */
  readonly totpSecret: string;
  /** Time step of the last code that was accepted: neither it nor an older one is accepted again. */
  readonly lastStep: number;
}

/** Undefined if the user has none. */
export function toSecondFactor(state: RecordState | undefined): SecondFactor | undefined {
  const totpSecret = state?.values['totpSecret'];
  if (state === undefined || state.deleted || typeof totpSecret !== 'string') return undefined;
  return { totpSecret, lastStep: Number(state.values['lastStep'] ?? 0) };
}
