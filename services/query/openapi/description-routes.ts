import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  buildEntityModel,
  type EntityModel,
} from '../../../shared/domain/entity/model/entity-model.ts';
import type { FieldDefinition } from '../../../shared/domain/field/field-types.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { known, reading } from '../../../shared/http/describe/error-lists.ts';
import { inQuery } from '../../../shared/http/describe/part.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import type { QueryContext } from '../context.ts';
import { isReached, type Reach } from '../metadata/reach.ts';
import {
  badParameter,
  last,
  type Parameters,
  readOneOf,
  readParameters,
} from '../request/read-parameters.ts';
import { type QueryRoute, requireGranted } from '../request/read-reader.ts';
import { buildAsyncApi } from './asyncapi-document.ts';
import type { Described } from './expand-routes.ts';
import { buildOpenApi } from './openapi-document.ts';
import { type DescribedRoutes, type RoutesDocument, readRoutes } from './route-templates.ts';

const scope = 'OpenApi';
const modules = ['Crm', 'Custom'] as const;

/**
 * Registers the machine-readable descriptions of the API and the topics, for administrators and the scope `OpenApi`.
 */
export function registerDescriptionRoutes(server: FastifyInstance, context: QueryContext): void {
  const describeOpenApi = createDescribeOpenApi(context.directory, () => server.swagger());

  server.get<QueryRoute>('/api/v1/OpenApi', readOpenApi, async (request, reply) => {
    const actor = await readActor(context, request);
    requireGranted(actor, scope);
    const choice = readChoice(readParameters(request.query));
    return sendText(reply, await describeOpenApi(actor, choice));
  });

  server.get('/api/asyncapi.json', readAsyncApi, async (request, reply) => {
    requireGranted(await context.authenticate(request), scope);
    return sendText(reply, JSON.stringify(buildAsyncApi(context.topics), null, 2));
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

/** The part of the document that a client requests (docs/reference/api.md#the-whole-api). */
interface OpenApiChoice {
  /** Omits custom entity types and fields. */
  readonly skipCustom: boolean;
  /** Omits the entity types of other modules. */
  readonly module: 'Crm' | 'Custom' | undefined;
}

/** The document depends on the entity types in a role. Few variants are in use at the same time. */
const MAX_TEXTS = 4;

/**
 * Creates a function that returns the OpenAPI document as text, with the entity types that the actor's role includes.
 * The document is generated from the registered routes on demand, and cached until a definition changes.
 */
export function createDescribeOpenApi(directory: Directory, readDocument: () => RoutesDocument) {
  let routes: DescribedRoutes | undefined;
  let described: readonly EntityModel[] = [];
  const texts = new Map<string, Promise<string>>();

  async function write(described: Described): Promise<string> {
    routes ??= readRoutes(readDocument());
    return JSON.stringify(await buildOpenApi(routes, described), null, 2);
  }

  return async (actor: Actor, choice: OpenApiChoice): Promise<string> => {
    const models = directory.entities();
    if (!isSame(models, described)) texts.clear();
    described = models;
    const reached = models.filter((model) => isReached(actor, model));
    const names = reached.filter((model) => isChosen(model, choice)).map(({ name }) => name);
    const reach: Reach = new Set(reached.map(({ name }) => name));
    const key = `${choice.skipCustom} ${names.join()} ${[...reach].join()}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const shown = new Map(models.map((model) => [model.name, toShown(model, reach, choice)]));
    const text = write({
      models: names.flatMap((name) => shown.get(name) ?? []),
      findModel: (name) => shown.get(name),
    });
    const [oldest] = texts.keys();
    if (texts.size >= MAX_TEXTS && oldest !== undefined) texts.delete(oldest);
    texts.set(key, text);
    return text;
  };
}

/** Returns true if no definition has changed. A changed definition has a new model. */
function isSame(left: readonly EntityModel[], right: readonly EntityModel[]): boolean {
  return left.length === right.length && left.every((model, index) => model === right[index]);
}

/** Users, roles and similar types do not belong to a module. */
function isChosen({ definition }: EntityModel, { skipCustom, module }: OpenApiChoice): boolean {
  if (!definition.isObject) return true;
  const isCustom = definition.isCustom === true;
  if (isCustom && skipCustom) return false;
  return module === undefined || (module === 'Custom') === isCustom;
}

function toShown(model: EntityModel, reach: Reach, { skipCustom }: OpenApiChoice): EntityModel {
  return withoutNamesBeyond(skipCustom ? withoutCustomFields(model) : model, reach);
}

function withoutCustomFields({ definition }: EntityModel): EntityModel {
  const fields = Object.entries(definition.fields).filter(([, { isCustom }]) => isCustom !== true);
  return buildEntityModel({ ...definition, fields: Object.fromEntries(fields) });
}

/** Records show links to types out of reach, but the document must not reveal that these types exist. */
function withoutNamesBeyond(model: EntityModel, reach: Reach): EntityModel {
  const { definition } = model;
  const isBeyond = ({ entityType, entityList }: FieldDefinition) =>
    (entityType !== undefined && !reach.has(entityType)) ||
    entityList?.some((name) => !reach.has(name)) === true;
  const fields = Object.entries(definition.fields);
  if (!fields.some(([, field]) => isBeyond(field))) return model;
  const unnamed = fields.map(([name, field]) => {
    const { entityType: _, entityList: __, ...others } = field;
    return [name, isBeyond(field) ? others : field];
  });
  return buildEntityModel({ ...definition, fields: Object.fromEntries(unnamed) });
}
