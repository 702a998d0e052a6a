import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createDirectory, type Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { ratesIn } from '../../../shared/domain/input/currency-rates.ts';
import { readSession } from '../../../shared/http/login/session-cookie.ts';
import { type ReaderDeps, readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { labels } from '../metadata/labels.ts';
import { createMetadata, valueAtPath } from '../metadata/metadata.ts';
import { isReached } from '../metadata/reach.ts';
import { settingsFor } from '../metadata/settings.ts';
import { last, readParameters } from './read-parameters.ts';

interface AppRouteDeps extends ReaderDeps {
  readonly directory: Directory;
}

type Query = Readonly<Record<string, unknown>>;

/** Metadata, labels and settings (docs/reference/espocrm-compatibility.md#metadata). */
export function registerAppRoutes(server: FastifyInstance, deps: AppRouteDeps): void {
  const { directory } = deps;
  const metadata = createMetadata(directory);
  const stock = createDirectory(stockDefinitions);

  for (const path of ['/api/v1/Metadata', '/api/v1/Metadata/action/get']) {
    server.get<{ Querystring: Query }>(path, async (request, reply) => {
      const actor = await readActor(deps, request);
      const key = last(readParameters(request.query), 'key');
      const found = key === undefined ? metadata(actor) : valueAtPath(metadata(actor), key);
      return sendJson(reply, found ?? null);
    });
  }

  server.get('/api/v1/I18n', async (request) => {
    // Labels of shipped types are public. Those of an installation's own types are for users who reach them.
    if (!hasCredentials(request)) return labels(stock.entities().filter(isNamed), stock.entity);
    const actor = await readActor(deps, request);
    const models = directory.entities().filter((model) => isReached(actor, model));
    return labels(models, directory.entity);
  });

  server.get('/api/v1/Settings', async (request) =>
    settingsFor(
      hasCredentials(request) ? await readActor(deps, request) : undefined,
      ratesIn(directory),
    ),
  );
}

function isNamed({ definition }: EntityModel): boolean {
  return definition.isInternal !== true;
}

function hasCredentials(request: FastifyRequest): boolean {
  const names = ['espo-authorization', 'x-api-key', 'x-hmac-authorization', 'authorization'];
  return (
    names.some((name) => request.headers[name] !== undefined) || readSession(request) !== undefined
  );
}
