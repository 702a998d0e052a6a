import type { FastifySchema } from 'fastify';
import { entityDefinitionType } from '../../domain/directory/directory.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../domain/entity/model/links.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { errorAnswers } from './error-answers.ts';
import { type AnswerHeader, headerRefs, limitHeaders, writeHeaders } from './headers.ts';
import { credentials } from './open-api-frame.ts';
import { type ParameterName, parameterComponents } from './parameters.ts';
import { jsonContent, type Part, refer } from './part.ts';

/**
 * What a route takes and answers. In a route below `:entity` every text may hold `{entity}`, and `{link}`, `{target}` and
 * `{type}` as its path does: the document has the route once for each entity type (docs/reference/api.md#the-whole-api).
 */
interface RouteDescription extends Answers {
  /** Unique in the document. Generators derive function names from it. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Shared parameters by name, others as OpenAPI has them. */
  readonly parameters?: readonly (ParameterName | Part)[];
  /** Schema of the body; absent: there is none. */
  readonly body?: Part;
  readonly isBodyOptional?: boolean;
  /** Which requests need no credentials: `always` all, `partly` some. */
  readonly isOpen?: 'always' | 'partly';
  /** Its path begins with /api alone. */
  readonly isBesideRecords?: boolean;
  readonly expand?: Expansion;
  /** Schemas that it refers to by name, and others may. */
  readonly schemas?: Schemas;
}

type Schemas = Readonly<Record<string, Part>>;

interface Answers {
  /** Schema of the answer on success. */
  readonly answer: Part;
  readonly status?: 200 | 201;
  readonly headers?: readonly AnswerHeader[];
  readonly errors: readonly ErrorCode[];
  /** Further answers by status. */
  readonly more?: Readonly<Record<string, Part>>;
}

/** For which entity types, links and values of other parts of its path the document has a route. */
interface Expansion {
  /** Absent: for all that somebody reaches. */
  readonly isFor?: (model: EntityModel) => boolean;
  readonly isForLink?: (model: EntityModel, link: EntityLink) => boolean;
  /** Which entity types stand for `{type}`. */
  readonly isForType?: (model: EntityModel, type: EntityModel) => boolean;
  /** Whose filters its search has, as a text: absent: `{entity}`. */
  readonly finds?: string;
  /** Values of parts of the path. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** What is different for an entity type, or for one of the values. */
  readonly but?: Readonly<Record<string, Partial<Answers>>>;
}

/** What the document needs to know of a route beside its operation: the extension `x-route` of the schema. */
export interface RouteExtension extends Omit<Expansion, 'but'> {
  readonly isBodyOptional: boolean;
  readonly responsesOf: Readonly<Record<string, Part>>;
  readonly schemas: Schemas;
}

/**
 * The options of a route that describe it: its schema, from which the OpenAPI document is made. Nothing is validated or
 * serialised by it.
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
    ...(body === undefined ? {} : { body: { content: jsonContent(body) } }),
    ...securityOf(route),
    ...(route.isBesideRecords === true ? beside : {}),
    response: toResponses(route),
    'x-route': extension,
  };
  return { schema };
}

/** Definitions are records, too, but have an API of their own. */
export function isWritable({ name }: EntityModel): boolean {
  return name !== entityDefinitionType;
}

export function hasStream({ definition }: EntityModel): boolean {
  return definition.hasStream === true;
}

/** The answer to writes with `Prefer: return=minimal`. */
export const noContent = {
  204: emptyAnswer('Done, with `Prefer: return=minimal`.', writeHeaders),
};

export function emptyAnswer(description: string, headers: readonly AnswerHeader[]): Part {
  return { description, headers: headerRefs(headers), type: 'null' };
}

function toResponses(answers: Answers): Part {
  return { ...toSuccess(answers), ...answers.more, ...errorAnswers(answers.errors) };
}

/** What is different alone. */
function toOther(route: Answers, other: Partial<Answers>): Part {
  const { errors, ...success } = other;
  return {
    ...(Object.keys(success).length === 0 ? {} : toSuccess({ ...route, ...success })),
    ...(errors === undefined ? {} : errorAnswers(errors)),
  };
}

function toSuccess({ answer, status = 200, headers = [] }: Answers): Part {
  return {
    [status]: {
      description: 'Done.',
      headers: headerRefs([...headers, ...limitHeaders]),
      content: jsonContent(answer),
    },
  };
}

const beside = {
  servers: [{ url: '/api', description: 'This installation, beside the record API.' }],
};

const places = { path: 'params', query: 'querystring', header: 'headers' } as const;
const shared = parameterComponents();

/** As Fastify has parameters: an object for each place where they stand. */
function byPlace(parameters: readonly (ParameterName | Part)[]): FastifySchema {
  const known = parameters.map((one) =>
    typeof one === 'string'
      ? { name: one, in: shared[one]?.['in'], schema: refer('parameters', one) }
      : { ...one, schema: { ...Object(one['schema']), 'x-parameter': one } },
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
