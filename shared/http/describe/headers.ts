import { type Part, refer } from './part.ts';
import { count, text } from './schemas.ts';

/** The response headers in the OpenAPI document. */
export const answerHeaders = {
  'Content-Disposition': header('The file name, and whether to show or download the file.'),
  'Content-Range': header('The returned byte range and the total size.'),
  ETag: header('The version of the record.', { ...text, examples: ['"v7"'] }),
  'Idempotency-Replayed': header(
    'This response repeats the response to an earlier request with this Idempotency-Key.',
    {
      const: 'true',
    },
  ),
  Link: header('The first, previous, next and last page (RFC 8288).'),
  'Preference-Applied': header('The preferences in `Prefer` that were applied.'),
  'RateLimit-Limit': header('Requests per second, if the operator has set a limit.', count),
  'RateLimit-Remaining': header('Requests left in this second.', count),
  'RateLimit-Reset': header('Seconds until the limit resets.', count),
  'Retry-After': header('Seconds to wait before trying again.', count),
  'Set-Cookie': header(
    '`auth-token-secret` if the login requested one; `annals-session` for sessions (`__Host-annals-session` over TLS).',
  ),
  'WWW-Authenticate': header('For browsers: `Basic realm=""`.'),
  'X-Consistency-Token': header(
    'The position of the write in the log. A read that sends it includes the write.',
  ),
  'X-Ignored-Attributes': header(
    'Attributes of the body, of `select` or of `orderBy` that had no effect, percent-encoded, at most 50.',
    { ...text, examples: ['nmae, Website'] },
  ),
  'X-Record-Link-Updated': header('The write also changed the links of the record.', {
    const: 'true',
  }),
  'X-Warning': header(
    'A warning although the request succeeded: the user may not read the record, the URL cannot receive deliveries, or a webhook without an API User sends every field.',
    {
      ...text,
      examples: [
        'Nothing can be delivered to url for now: its name cannot be resolved (ENOTFOUND).',
      ],
    },
  ),
  'X-Status-Reason': header('The message as one line of Latin-1, or a fixed word.', {
    ...text,
    examples: ['No read access.'],
  }),
} as const satisfies Readonly<Record<string, Part>>;

export type AnswerHeader = keyof typeof answerHeaders;

/** Response headers for record writes. */
export const writeHeaders: readonly AnswerHeader[] = [
  'ETag',
  'Idempotency-Replayed',
  'Preference-Applied',
  'X-Consistency-Token',
];

/** Headers of every response if the operator has set a rate limit. */
export const limitHeaders: readonly AnswerHeader[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

export function headerRefs(names: readonly AnswerHeader[]): Part {
  return Object.fromEntries(names.map((name) => [name, refer('headers', name)]));
}

function header(description: string, schema: Part = text): Part {
  return { description, schema };
}
