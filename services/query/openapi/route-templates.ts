import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import type { RouteExtension } from '../../../shared/http/describe/describe-route.ts';
import { openApiFrame } from '../../../shared/http/describe/describe-routes.ts';
import { errorAnswers } from '../../../shared/http/describe/error-answers.ts';
import * as errorLists from '../../../shared/http/describe/error-lists.ts';
import { mapParts, type Part, refer } from '../../../shared/http/describe/part.ts';

/** A route as registered: one operation, which may expand to operations on many entity types. */
export interface RouteTemplate {
  readonly path: string;
  readonly method: string;
  readonly operation: Part;
  readonly route: RouteExtension;
}

type Parts = Readonly<Record<string, Part>>;

/** The result of `server.swagger()`. */
export interface RoutesDocument {
  readonly paths?: object;
}

export type DescribedRoutes = ReturnType<typeof readRoutes>;

/** Returns the described routes of a server, sorted by path, with the error responses and schemas that they share. */
export function readRoutes({ paths }: RoutesDocument) {
  const shareErrors = createShareErrors();
  const templates = Object.entries(toObject(paths))
    .toSorted(([left], [right]) => left.localeCompare(right, 'en'))
    .flatMap(([path, item]) =>
      Object.entries(toObject(item))
        .map(([method, operation]) => [method, toObject(operation)] as const)
        .filter(([, { operationId }]) => operationId !== undefined)
        .map(([method, operation]) =>
          toTemplate(path.replace(/^\/api/, '') || '/', method, operation),
        ),
    )
    .map((template) => shareErrors.in(template));
  const schemas: Parts = Object.assign({}, ...templates.map(({ route }) => route.schemas));
  return { frame: openApiFrame(), templates, errors: shareErrors.errors, schemas };
}

function toTemplate(path: string, method: string, operation: Part): RouteTemplate {
  const { 'x-route': extension, parameters, requestBody, responses, ...others } = operation;
  const route = extension as RouteExtension;
  const own = Array.isArray(parameters) ? parameters.flatMap(toParameter) : [];
  return {
    path,
    method,
    route,
    operation: {
      ...others,
      parameters: own.length === 0 ? undefined : own,
      requestBody: requestBody && { ...requestBody, required: !route.isBodyOptional },
      responses: mapParts(toObject(responses), toResponse),
    },
  };
}

/**
 * Fastify lists bare schemas as parameters. Parameters without a description, which Fastify derives from the path, are
 * omitted.
 */
function toParameter({ schema }: Part): readonly Part[] {
  const { $ref, 'x-parameter': own } = toObject(schema);
  if (typeof $ref === 'string') return [{ $ref }];
  return own === undefined ? [] : [toObject(own)];
}

function toResponse(response: unknown): Part {
  const part = toObject(response);
  const toHeader = (header: unknown) => toObject(toObject(header)['schema']);
  return { ...part, headers: mapParts(toObject(part['headers']), toHeader) };
}

/**
 * Shares error responses, because most operations have the same ones. Each shared response is named after the first
 * operation that has it.
 */
function createShareErrors() {
  const errors: Record<string, Part> = {};
  const names = new Map<string, string>();
  const share =
    (prefix: string) =>
    (response: unknown, status: string): Part => {
      if (status < '400') return toObject(response);
      const text = JSON.stringify(response);
      const name = names.get(text) ?? `${prefix}_${status}`;
      if (!names.has(text) && name in errors)
        throw new Error(`Two different error responses are named ${name}.`);
      names.set(text, name);
      errors[name] = toObject(response);
      return refer('responses', name);
    };
  for (const [name, codes] of Object.entries(errorLists))
    mapParts(errorAnswers(codes), share(name));
  return {
    errors,
    in({ operation, route, ...template }: RouteTemplate): RouteTemplate {
      const id = String(operation['operationId'])
        .replaceAll(/\{entity\}_?/g, '')
        .replaceAll(/[{}]/g, '');
      const responses = mapParts(toObject(operation['responses']), share(id));
      const responsesOf = mapParts(route.responsesOf, (other, name) =>
        mapParts(toObject(other), share(`${id}${name}`)),
      );
      return {
        ...template,
        operation: { ...operation, responses },
        route: { ...route, responsesOf },
      };
    },
  };
}
