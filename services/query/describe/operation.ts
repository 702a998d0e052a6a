import type { ErrorGroup } from './error-groups.ts';
import { errorResponses } from './error-responses.ts';
import { type AnswerHeader, headerRefs, limitHeaders } from './headers.ts';
import type { ParameterName } from './parameters.ts';
import { jsonContent, type Part, refer } from './part.ts';

/** A short form of an operation. */
export interface OperationSketch {
  /** Unique in the document. Generators derive function names from it. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Shared parameters by name, others as they are. */
  readonly parameters?: readonly (ParameterName | Part)[];
  /** Schema of the body; absent: there is none. */
  readonly body?: Part;
  readonly isBodyOptional?: boolean;
  /** The answer on success. */
  readonly answer: Part;
  readonly status?: 200 | 201;
  readonly headers?: readonly AnswerHeader[];
  readonly errors: ErrorGroup;
  /** Further answers by status. */
  readonly more?: Part;
  /** Which requests need no credentials: `always` all, `partly` some. */
  readonly isOpen?: 'always' | 'partly';
}

/** The answer to writes with `Prefer: return=minimal`. */
export const noContent = {
  204: {
    description: 'Done, with `Prefer: return=minimal`.',
    headers: headerRefs([
      'ETag',
      'Idempotency-Replayed',
      'Preference-Applied',
      'X-Consistency-Token',
    ]),
  },
};

export function operation(sketch: OperationSketch): Part {
  const { id, tag, summary, description, parameters = [], answer, status = 200 } = sketch;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0
      ? {}
      : {
          parameters: parameters.map((one) =>
            typeof one === 'string' ? refer('parameters', one) : one,
          ),
        }),
    ...requestBody(sketch),
    ...security(sketch),
    responses: {
      [status]: {
        description: 'Done.',
        headers: headerRefs([...(sketch.headers ?? []), ...limitHeaders]),
        content: jsonContent(answer),
      },
      ...sketch.more,
      ...errorResponses.get(sketch.errors),
    },
  };
}

function requestBody({ body, isBodyOptional = false }: OperationSketch): Part {
  if (body === undefined) return {};
  return { requestBody: { required: !isBodyOptional, content: jsonContent(body) } };
}

/** Each is sufficient by itself. */
export const credentials: readonly Part[] = [
  { ApiKey: [] },
  { Hmac: [] },
  { EspoAuthorization: [] },
  { Basic: [] },
];

function security({ isOpen }: OperationSketch): Part {
  if (isOpen === undefined) return {};
  return { security: isOpen === 'always' ? [] : [{}, ...credentials] };
}
