import { type Refusal, validationFailure } from '../errors.ts';
import { isStorableText } from '../field/types/text/read-text.ts';
import { type Decision, decideWrite } from '../record/decide.ts';
import type { RecordState } from '../record/record-state.ts';
import { toObject } from '../value/attribute-values.ts';

/**
 * Entity type of the acknowledged findings in the directory log. A single record holds all of them, each as an attribute
 * with the id of the finding. Like preferences, the type has no definition.
 */
export const acknowledgementsType = 'AcknowledgedFindings';
export const acknowledgementsId = 'findings';

/** An acknowledged finding. */
export interface Acknowledgement {
  /** Identifies the finding for readers of the log; its id is a digest. */
  readonly code: string;
  readonly reason: string;
  readonly byId: string;
  /** ISO 8601. */
  readonly at: string;
}

const MAX_REASON_LENGTH = 500;
/** Older ones are dropped. Most belong to findings that no longer exist. */
const MAX_ACKNOWLEDGEMENTS = 100;

/** Returns the acknowledged findings by id, in the order in which they were first acknowledged. */
export function acknowledgementsIn(
  state: RecordState | undefined,
): ReadonlyMap<string, Acknowledgement> {
  const found = new Map<string, Acknowledgement>();
  for (const [id, value] of Object.entries(state?.values ?? {})) {
    const { code, reason, byId, at } = toObject(value);
    if (typeof reason !== 'string') continue;
    found.set(id, { code: String(code), reason, byId: String(byId), at: String(at) });
  }
  return found;
}

/** Returns the reason without surrounding blanks. Throws if it is empty, too long or not storable. */
export function readReason(reason: unknown): string {
  const text = typeof reason === 'string' ? reason.trim() : '';
  if (text === '') throw invalid('required', 'reason is required.');
  if (text.length > MAX_REASON_LENGTH) {
    throw invalid('maxLength', `reason must have at most ${MAX_REASON_LENGTH} characters.`);
  }
  if (isStorableText(text)) return text;
  throw invalid('valid', 'reason must not contain NUL or unpaired surrogates.');
}

/** Decides to acknowledge a finding; null withdraws its acknowledgement. */
export function decideAcknowledgement(
  state: RecordState | undefined,
  id: string,
  acknowledgement: Acknowledgement | null,
): Decision | undefined {
  const known = [...acknowledgementsIn(state).keys()].filter((one) => one !== id);
  const dropped = acknowledgement === null ? [] : known.slice(0, 1 - MAX_ACKNOWLEDGEMENTS);
  const drops = dropped.map((one) => [one, null] as const);
  const value = acknowledgement === null ? null : { ...acknowledgement };
  return decideWrite(state, { ...Object.fromEntries(drops), [id]: value });
}

function invalid(type: 'maxLength' | 'required' | 'valid', message: string): Refusal {
  const parameters = type === 'maxLength' ? { parameters: { maxLength: MAX_REASON_LENGTH } } : {};
  return validationFailure('Finding', [{ field: 'reason', type, ...parameters, message }]);
}
