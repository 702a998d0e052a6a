import type { FastifySchema } from 'fastify';
import { entityDefinitionType } from '../../domain/directory/directory.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../domain/entity/model/links.ts';
import { toObject } from '../../domain/value/attribute-values.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { credentials } from './describe-routes.ts';
import { errorAnswers } from './error-answers.ts';
import { type AnswerHeader, headerRefs, limitHeaders, writeHeaders } from './headers.ts';
import { type ParameterName, parameterComponents } from './parameters.ts';
import { jsonContent, type Part, refer } from './part.ts';

/**
 * The request and responses of a route. In a route below `:entity`, every text may contain `{entity}` and, if its path
 * has them, `{link}`, `{target}` and `{type}`: the OpenAPI document lists such a route once per entity type
 * (docs/reference/api.md#the-whole-api).
 */
interface RouteDescription extends Responses {
  /** Unique in the document. Generators derive function names from it. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Names of shared parameters, or inline OpenAPI parameters. */
  readonly parameters?: readonly (ParameterName | Part)[];
  /** The schema of the request body; absent for requests without a body. */
  readonly body?: Part;
  readonly isBodyOptional?: boolean;
  /** The media type of the body, if it is not JSON. */
  readonly bodyType?: string;
  /** The schema of a body in `multipart/form-data`, which the route accepts in addition. */
  readonly multipart?: Part;
  /** Whether all requests (`always`) or some (`partly`) need no credentials. */
  readonly isOpen?: 'always' | 'partly';
  /** The path starts with /api instead of /api/v1. */
  readonly isBesideRecords?: boolean;
  readonly expand?: Expansion;
  /** Named schemas that this route defines; other routes may refer to them. */
  readonly schemas?: Schemas;
}

type Schemas = Readonly<Record<string, Part>>;

interface Responses {
  /** The schema for a successful response. */
  readonly answer: Part;
  readonly status?: 200 | 201;
  readonly headers?: readonly AnswerHeader[];
  readonly errors: readonly ErrorCode[];
  /** Additional responses by status. */
  readonly more?: Readonly<Record<string, Part>>;
}

/** The entity types, links and path values for which the document lists the route. */
interface Expansion {
  /** Defaults to all entity types that the caller can reach. */
  readonly isFor?: (model: EntityModel) => boolean;
  readonly isForLink?: (model: EntityModel, link: EntityLink) => boolean;
  /** Returns true if the entity type may replace `{type}`. */
  readonly isForType?: (model: EntityModel, type: EntityModel) => boolean;
  /** The entity type whose filters the search accepts, as a template; defaults to `{entity}`. */
  readonly finds?: string;
  /** The values of path segments for which the document lists the route. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Responses that differ for one entity type or path value. */
  readonly but?: Readonly<Record<string, Partial<Responses>>>;
}

/** The `x-route` extension of the schema: facts about a route that an OpenAPI operation cannot express. */
export interface RouteExtension extends Omit<Expansion, 'but'> {
  readonly isBodyOptional: boolean;
  readonly responsesOf: Readonly<Record<string, Part>>;
  readonly schemas: Schemas;
}

/**
 * Returns the route options that describe the route: the schema from which the OpenAPI document is generated. It
 * neither validates nor serializes anything.
 */
export function describeRoute(route: RouteDescription): { readonly schema: FastifySchema } {
  const { id, tag, summary, description, parameters = [], body } = route;
  const { but = {}, ...expansion } = route.expand ?? {};
  const extension: RouteExtension = {
    ...expansion,
    isBodyOptional: route.isBodyOptional === true,
    schemas: route.schemas ?? {},
    responsesOf: Object.fromEntries(
      Object.entries(but).map(([name, other]) => [name, toOther(route, other)]),
    ),
  };
  const schema = {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...byPlace(parameters),
    ...(body === undefined ? {} : { body: { content: contentOf(body, route) } }),
    ...securityOf(route),
    ...(route.isBesideRecords === true ? beside : {}),
    response: toResponses(route),
    'x-route': extension,
  };
  return { schema };
}

function contentOf(body: Part, { bodyType, multipart }: RouteDescription): Part {
  return {
    ...(bodyType === undefined ? jsonContent(body) : { [bodyType]: { schema: body } }),
    ...(multipart === undefined ? {} : { 'multipart/form-data': { schema: multipart } }),
  };
}

/** Definitions are also records, but have a separate API. */
export function isWritable({ name }: EntityModel): boolean {
  return name !== entityDefinitionType;
}

export function hasStream({ definition }: EntityModel): boolean {
  return definition.hasStream === true;
}

/** The response to writes with `Prefer: return=minimal`. */
export const noContent = {
  204: emptyAnswer('Success with `Prefer: return=minimal`.', writeHeaders),
};

export function emptyAnswer(description: string, headers: readonly AnswerHeader[]): Part {
  return { description, headers: headerRefs(headers), type: 'null' };
}

function toResponses(answers: Responses): Part {
  return { ...toSuccess(answers), ...answers.more, ...errorAnswers(answers.errors) };
}

/** Returns only the responses that differ. */
function toOther(route: Responses, other: Partial<Responses>): Part {
  const { errors, ...success } = other;
  return {
    ...(Object.keys(success).length === 0 ? {} : toSuccess({ ...route, ...success })),
    ...(errors === undefined ? {} : errorAnswers(errors)),
  };
}

function toSuccess({ answer, status = 200, headers = [] }: Responses): Part {
  return {
    [status]: {
      description: 'Success.',
      headers: headerRefs([...headers, ...limitHeaders]),
      content: jsonContent(answer),
    },
  };
}

const beside = {
  servers: [{ url: '/api', description: 'This installation, outside the record API.' }],
};

const places = { path: 'params', query: 'querystring', header: 'headers' } as const;
const shared = parameterComponents();

/** Groups parameters by location, as Fastify expects. */
function byPlace(parameters: readonly (ParameterName | Part)[]): FastifySchema {
  const known = parameters.map((one) =>
    typeof one === 'string'
      ? { name: one, in: shared[one]?.['in'], schema: refer('parameters', one) }
      : { ...one, schema: { ...toObject(one['schema']), 'x-parameter': one } },
  );
  return Object.fromEntries(
    Object.entries(places).flatMap(([place, key]) => {
      const some = known.filter((one) => one.in === place);
      if (some.length === 0) return [];
      const properties = Object.fromEntries(some.map(({ name, schema }) => [name, schema]));
      return [[key, { type: 'object', properties }]];
    }),
  );
}

function securityOf({ isOpen }: RouteDescription): FastifySchema {
  if (isOpen === undefined) return {};
  return { security: isOpen === 'always' ? [] : [{}, ...credentials] };
}
