import type { FastifyInstance, FastifyReply } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { known, reading } from '../../../shared/http/describe/error-lists.ts';
import { inQuery } from '../../../shared/http/describe/part.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import {
  badParameter,
  last,
  type Parameters,
  readOneOf,
  readParameters,
} from '../request/read-parameters.ts';
import { type QueryRoute, type QueryRouteDeps, requireGranted } from '../request/read-reader.ts';
import { buildAsyncApi } from './asyncapi-document.ts';
import { createDescribeOpenApi, type OpenApiChoice } from './describe-openapi.ts';

const scope = 'OpenApi';
const modules = ['Crm', 'Custom'] as const;

/** Registers the machine-readable descriptions of the API and the topics, for administrators and the scope `OpenApi`. */
export function registerDescriptionRoutes(server: FastifyInstance, deps: QueryRouteDeps): void {
  const describeOpenApi = createDescribeOpenApi(deps.directory, () => server.swagger());

  server.get<QueryRoute>('/api/v1/OpenApi', readOpenApi, async (request, reply) => {
    const actor = await readActor(deps, request);
    requireGranted(actor, scope);
    const choice = readChoice(readParameters(request.query));
    return sendText(reply, await describeOpenApi(actor, choice));
  });

  server.get('/api/asyncapi.json', readAsyncApi, async (request, reply) => {
    requireGranted(await deps.authenticate(request), scope);
    return sendText(reply, JSON.stringify(buildAsyncApi(deps.topics), null, 2));
  });
}

function readChoice(parameters: Parameters): OpenApiChoice {
  const module = readOneOf(parameters, 'module', modules);
  return { skipCustom: readFlag(parameters, 'skipCustom'), module };
}

function readFlag(parameters: Parameters, name: string): boolean {
  const text = last(parameters, name)?.toLowerCase() ?? 'false';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw badParameter(`${name} must be true or false.`);
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', 'application/json').send(text);
}

const tag = 'This installation';
const object = { type: 'object' };

const readOpenApi = describeRoute({
  id: 'OpenApi_read',
  tag,
  summary: 'Read this document',
  description:
    'For administrators and roles with the scope `OpenApi`. The document describes the entity types that the role includes.',
  parameters: [
    inQuery('skipCustom', 'Omits custom entity types and fields.', {
      schema: { ...text, enum: ['true', 'false'] },
    }),
    inQuery('module', 'Limits the document to the entity types of one module.', {
      schema: { ...text, enum: modules },
    }),
    'X-Consistency-Token',
  ],
  answer: objectOf({ openapi: text, info: object, paths: object }),
  errors: [...reading, 'access.denied', 'parameter.invalid'],
});

const readAsyncApi = describeRoute({
  id: 'AsyncApi_read',
  tag,
  summary: 'Read the AsyncAPI document of the Kafka topics and webhooks',
  description: 'For administrators and roles with the scope `OpenApi`.',
  answer: objectOf({ asyncapi: text, info: object, channels: object }),
  errors: [...known, 'access.denied'],
  isBesideRecords: true,
});
