import { version } from '../../runtime/version.ts';

/** Each is sufficient by itself. */
export const credentials: Record<string, string[]>[] = [
  { ApiKey: [] },
  { Hmac: [] },
  { EspoAuthorization: [] },
  { Basic: [] },
];

/** The parts that are the same for everybody, and not secret. */
export function openApiFrame() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Annals',
      version,
      summary: 'Business records, every change of them, and webhooks.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Without a host: only the client knows the name by which it reaches this installation.
    servers: [{ url: '/api/v1', description: 'This installation.' }],
    security: credentials,
    components: { securitySchemes },
  };
}

const description = `Records are read and written as JSON objects of attributes. Times are in UTC,
\`2030-01-31 10:00:00\`; dates \`2030-01-31\`. An entity type is also found under its lower-case name and plural:
\`/contacts\` is \`/Contact\`.

Every error has \`X-Status-Reason\` and a JSON body; with \`Accept: application/problem+json\` it is a problem document.
`;

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The key of an API user.',
  },
  Hmac: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hmac-Authorization',
    description:
      'Base64 of `key:hash`, where the hash is the HMAC-SHA256 of the method, a space and the path after `/api/v1` under the secret key.',
  },
  EspoAuthorization: {
    type: 'apiKey',
    in: 'header',
    name: 'Espo-Authorization',
    description: 'Base64 of `user:password` or `user:token`.',
  },
  Basic: { type: 'http', scheme: 'basic', description: 'A user and a password, or a token.' },
} as const;
