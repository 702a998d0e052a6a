import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { ratesIn } from '../../../shared/domain/field/currency-rates.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { labels } from '../metadata/labels.ts';
import { createMetadata, valueAtPath } from '../metadata/metadata.ts';
import { settingsFor } from '../metadata/settings.ts';
import { last, readParameters } from './read-parameters.ts';

interface AppRouteDeps {
  readonly directory: Directory;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
}

type Query = Readonly<Record<string, unknown>>;

/** What clients ask about the installation (api-facts 7). */
export function registerAppRoutes(server: FastifyInstance, deps: AppRouteDeps): void {
  const { directory, authenticate } = deps;
  const metadata = createMetadata(directory);

  for (const path of ['/api/v1/Metadata', '/api/v1/Metadata/action/get']) {
    server.get<{ Querystring: Query }>(path, async (request, reply) => {
      const actor = await authenticate(request);
      const key = last(readParameters(request.query), 'key');
      const found = key === undefined ? metadata(actor) : valueAtPath(metadata(actor), key);
      return sendJson(reply, found ?? null);
    });
  }

  server.get('/api/v1/I18n', () => labels(directory.entities()));

  server.get('/api/v1/Settings', async (request) =>
    settingsFor(
      hasCredentials(request) ? await authenticate(request) : undefined,
      ratesIn(directory),
    ),
  );
}

function hasCredentials({ headers }: FastifyRequest): boolean {
  const names = ['espo-authorization', 'x-api-key', 'x-hmac-authorization', 'authorization'];
  return names.some((name) => headers[name] !== undefined);
}
