import { type Part, refer } from './part.ts';
import { count, text } from './schemas.ts';

/** The headers of answers. */
export const answerHeaders = {
  'Content-Disposition': header('The name of the file, and whether it is a download.'),
  'Content-Range': header('Which part of how many bytes.'),
  ETag: header('The version of the record.', { ...text, examples: ['"v7"'] }),
  'Idempotency-Replayed': header('The answer to an earlier request with this Idempotency-Key.', {
    const: 'true',
  }),
  Link: header('The first, previous, next and last page (RFC 8288).'),
  'Preference-Applied': header('What of `Prefer` was followed.'),
  'RateLimit-Limit': header('Requests per second, where the operator sets a limit.', count),
  'RateLimit-Remaining': header('Requests left in this second.', count),
  'RateLimit-Reset': header('Seconds until there are more.', count),
  'Retry-After': header('Seconds to wait before trying again.', count),
  'Set-Cookie': header(
    '`auth-token-secret`, if the log-in asked for one; `annals-session` of sessions, over TLS `__Host-annals-session`.',
  ),
  'WWW-Authenticate': header('For browsers: `Basic realm=""`.'),
  'X-Consistency-Token': header('Where the write stands: sent with a read, the read sees it.'),
  'X-Ignored-Attributes': header(
    'Attributes of the body, of `select` or of `orderBy` that had no effect, percent-encoded, at most 50.',
    { ...text, examples: ['nmae, Website'] },
  ),
  'X-Record-Link-Updated': header('The change was one of what the record is linked with, too.', {
    const: 'true',
  }),
  'X-Warning': header(
    'What the client should know although the request was carried out: that it may not read the record, that nothing can be delivered to a url, or that a webhook without an API User sends every field.',
    {
      ...text,
      examples: [
        'Nothing can be delivered to url for now: its name cannot be resolved (ENOTFOUND).',
      ],
    },
  ),
  'X-Status-Reason': header('The message in one line of Latin-1, or a fixed word.', {
    ...text,
    examples: ['No read access.'],
  }),
} as const satisfies Readonly<Record<string, Part>>;

export type AnswerHeader = keyof typeof answerHeaders;

/** The headers of the answer to a write of a record. */
export const writeHeaders: readonly AnswerHeader[] = [
  'ETag',
  'Idempotency-Replayed',
  'Preference-Applied',
  'X-Consistency-Token',
];

/** The headers of every answer if the operator sets a rate limit. */
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
