import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { version } from '../../runtime/version.ts';

/**
 * Collects the schemas of all routes that are registered afterwards for `server.swagger()`. Each route yields one
 * operation, which services/query/openapi expands to one operation per entity type.
 */
export async function describeRoutes(server: FastifyInstance): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: openApiFrame(),
    convertConstToEnum: false,
  });
  // Generated now and cached: on a busy machine, generating it during a request would take long enough for the load
  // balancer to mark the api as down.
  server.addHook('onReady', async () => void server.swagger());
}

/** Returns the parts of the document that are the same for every caller and are not secret. */
export function openApiFrame() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Annals',
      version,
      summary: 'Business records, their complete history, and webhooks.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // The URL has no host part, because only the client can determine the name by which it reaches this installation.
    servers: [{ url: '/api/v1', description: 'This installation.' }],
    security: credentials,
    components: { securitySchemes },
  };
}

const description = `Records are read and written as JSON objects of attributes. Times are in UTC,
\`2030-01-31 10:00:00\`; dates \`2030-01-31\`. Paths also accept the lower-case name of an entity type and its plural:
\`/contacts\` is \`/Contact\`.

Every error has \`X-Status-Reason\` and a JSON body, which is a problem document with \`Accept: application/problem+json\`.
`;

const securitySchemes = {
  ApiKey: inHeader('X-Api-Key', 'The key of an API user.'),
  Hmac: inHeader(
    'X-Hmac-Authorization',
    'Base64 of `key:hash`, where the hash is the HMAC-SHA256 of the method, a space and the path after `/api/v1` with the secret key.',
  ),
  EspoAuthorization: inHeader('Espo-Authorization', 'Base64 of `user:password` or `user:token`.'),
  Basic: { type: 'http', scheme: 'basic', description: 'A user and a password, or a token.' },
} as const;

function inHeader(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}

/** Lists the schemes as alternatives, because each is sufficient alone. */
export const credentials: Record<string, string[]>[] = Object.keys(securitySchemes).map((name) => ({
  [name]: [],
}));
