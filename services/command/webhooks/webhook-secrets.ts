import { randomBytes } from 'node:crypto';
import type { FieldProblem } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { type AttributeValues, sameValue } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import {
  type CustomHeaders,
  readCustomHeaders,
} from '../../../shared/domain/webhook/record/custom-headers.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';

const SECRET_BYTES = 32;
/**
 * How long requests are also signed with the previous secret, so that receivers can switch without losing a request.
 */
const OVERLAP_MS = 24 * 3_600_000;

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/**
 * Returns the changed values when a secret is replaced. If the secret is replaced again within the overlap, the oldest
 * secret is dropped.
 */
export function rotatedSecret(
  { values }: RecordState,
  now: number,
  secrets: SecretBox,
): AttributeValues {
  return {
    secretKey: secrets.seal(newSecret()),
    previousSecretKey: values['secretKey'] ?? null,
    previousSecretUntil: formatDateTime(now + OVERLAP_MS),
  };
}

/** Returns the custom headers in a body; undefined if the body does not set them. */
export function readHeaders(body: Readonly<Record<string, unknown>>): {
  readonly given: CustomHeaders | undefined;
  readonly problems: readonly FieldProblem[];
} {
  if (body['headers'] === undefined) return { given: undefined, problems: [] };
  const read = readCustomHeaders(body['headers']);
  return 'problem' in read
    ? { given: undefined, problems: [read.problem] }
    : { given: read.headers, problems: [] };
}

/** Sealing is not deterministic. Unchanged headers keep their sealed text, so that they cause no event. */
export function sealHeaders(
  given: CustomHeaders | undefined,
  current: RecordState | undefined,
  secrets: SecretBox,
): AttributeValues {
  if (given === undefined) return {};
  const sealed = current?.values['sealedHeaders'];
  const known = typeof sealed === 'string' ? secrets.tryOpen(sealed) : '{}';
  if (known !== null && sameValue(JSON.parse(known), given)) return {};
  const isNone = Object.keys(given).length === 0;
  return { sealedHeaders: isNone ? null : secrets.seal(JSON.stringify(given)) };
}
