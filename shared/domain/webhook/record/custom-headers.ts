import type { FieldProblem } from '../../errors.ts';
import { printable } from '../../printable.ts';

/** Headers that a subscriber adds to a webhook's requests, keyed by name as written. */
export type CustomHeaders = Readonly<Record<string, string>>;

const MAX_HEADERS = 10;
const MAX_VALUE_LENGTH = 1000;
/** A token as defined in RFC 9110. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible ASCII, with spaces only between other characters: every receiver interprets such values in the same way. */
const valuePattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that Annals sets itself, or that concern message framing or a single hop. Subscribers cannot set them. */
const reserved: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'host',
  'keep-alive',
  'signature',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-signature',
]);
const reservedPrefixes = ['content-', 'proxy-', 'webhook-', 'x-webhook-'];

/** Validates the headers in a request body. A missing value, null or an empty list means no headers. */
export function readCustomHeaders(
  given: unknown,
): { readonly headers: CustomHeaders } | { readonly problem: FieldProblem } {
  const entries = entriesOf(given);
  if (entries === undefined) return problem('must be an object that maps names to values');
  if (entries.length > MAX_HEADERS) return problem(`must contain at most ${MAX_HEADERS} headers`);
  const names = new Set<string>();
  for (const [name, value] of entries) {
    const fault =
      findFault(name, value) ?? (names.has(name.toLowerCase()) ? 'is specified twice' : null);
    if (fault !== null) return problem(`header '${printable(name)}' ${fault}`, printable(name));
    names.add(name.toLowerCase());
  }
  return { headers: Object.fromEntries(entries) as CustomHeaders };
}

function entriesOf(given: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (given === null) return [];
  if (Array.isArray(given)) return given.length === 0 ? [] : undefined;
  return typeof given === 'object' ? Object.entries(given) : undefined;
}

function findFault(name: string, value: unknown): string | null {
  if (!namePattern.test(name)) return 'has an invalid name';
  const lower = name.toLowerCase();
  if (reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return 'is reserved';
  }
  const isValid =
    typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && valuePattern.test(value);
  return isValid ? null : `must have a value of 1 to ${MAX_VALUE_LENGTH} visible ASCII characters`;
}

function problem(message: string, header?: string): { readonly problem: FieldProblem } {
  const parameters =
    header === undefined ? {} : { parameters: { form: 'header', header } as const };
  return {
    problem: { field: 'headers', type: 'valid', ...parameters, message: `headers: ${message}.` },
  };
}
