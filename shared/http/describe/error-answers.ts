import { STATUS_CODES } from 'node:http';
import { problemTypes, valueForms } from '../../domain/errors.ts';
import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';
import { type AnswerHeader, headerRefs, limitHeaders } from './headers.ts';
import { jsonContent, type Part, refer } from './part.ts';
import { count, nullableText, objectOf, text } from './schemas.ts';

const whenByCode: ReadonlyMap<string, { readonly status: string; readonly when: string }> = new Map(
  Object.entries(errorCodes).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, when]) => [code, { status, when }] as const),
  ),
);

/** Returns the error responses for these codes, by status. */
export function errorAnswers(codes: readonly ErrorCode[]): Readonly<Record<string, Part>> {
  const sorted = [...new Set(codes)].toSorted();
  const byStatus = Map.groupBy(sorted, (code) => whenByCode.get(code)?.status ?? '');
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [status, describeError(status, some)]),
  );
}

function describeError(status: string, codes: readonly ErrorCode[]): Part {
  const reasons = codes.map((code) => `- \`${code}\`: ${whenByCode.get(code)?.when}`);
  return {
    description: `${STATUS_CODES[status] ?? 'Error'}.\n\n${reasons.join('\n')}`,
    headers: headerRefs(['X-Status-Reason', ...headersOf(status, codes), ...limitHeaders]),
    content: {
      ...jsonContent(bodySchema(codes)),
      'application/problem+json': {
        schema: { allOf: [refer('schemas', 'problem'), { properties: { code: { enum: codes } } }] },
      },
    },
  };
}

function headersOf(status: string, codes: readonly ErrorCode[]): readonly AnswerHeader[] {
  if (codes.includes('list.too_slow')) return ['Retry-After'];
  const headers = headersByStatus[status] ?? [];
  return codes.includes('write.unread') ? [...headers, 'X-Consistency-Token'] : headers;
}

const headersByStatus: Readonly<Record<string, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  507: ['Retry-After'],
};

/** Bodies that clients expect in place of the message body. */
const ownBodies: Readonly<Record<string, Part>> = {
  'code.missing': refer('schemas', 'secondStep'),
  'record.duplicate': refer('schemas', 'duplicates'),
  'record.modified': refer('schemas', 'modified'),
};

function bodySchema(codes: readonly ErrorCode[]): Part {
  const usual = codes.filter((code) => ownBodies[code] === undefined);
  const bodies = [
    ...(usual.length === 0 ? [] : [usualSchema(usual)]),
    ...codes.flatMap<Part>((code) => ownBodies[code] ?? []),
  ];
  const [only, ...more] = bodies;
  return only !== undefined && more.length === 0 ? only : { anyOf: bodies };
}

function usualSchema(codes: readonly ErrorCode[]): Part {
  const [code = ''] = codes;
  return {
    allOf: [refer('schemas', 'error'), { properties: { code: { enum: codes } } }],
    examples: [{ message: 'A one-line description of the problem.', code }],
  };
}

const failures = {
  type: 'array',
  description: 'Every failing field of a record.',
  items: objectOf(
    {
      field: text,
      attribute: {
        ...text,
        description: 'The failing attribute, if the field has several attributes.',
        examples: ['amountCurrency'],
      },
      type: { enum: problemTypes, description: 'Name of the validation.' },
      parameters: {
        type: 'object',
        description: "The values in the message, for a text in the user's language.",
        properties: {
          form: { enum: valueForms, description: 'The form that a value of type `valid` needs.' },
          maxLength: count,
          maxCount: count,
          min: { type: 'number' },
          max: { type: 'number' },
        },
      },
      message: text,
    },
    ['field', 'type', 'message'],
  ),
};
const parameters = {
  type: 'object',
  description: 'The values in the message.',
  properties: { maxBytes: count },
};
const messageTranslation = {
  type: 'object',
  description: 'A label to translate, and the values to insert into it.',
  required: ['label', 'scope', 'data'],
  properties: {
    label: text,
    scope: nullableText,
    data: { type: 'object' },
  },
};

const mergedInto = {
  ...text,
  description: 'The record into which the requested one was merged (`record.merged`).',
};
const requestId = { ...text, description: 'The id under which the log has this unexpected error.' };

const recordId = { ...text, description: 'The record whose change reads do not see yet.' };

export const errorSchemas: Readonly<Record<string, Part>> = {
  error: objectOf(
    {
      message: text,
      code: text,
      messageTranslation,
      errors: failures,
      parameters,
      mergedInto,
      requestId,
      recordId,
    },
    ['message', 'code'],
  ),
  problem: {
    type: 'object',
    description: 'RFC 9457, for requests whose `Accept` includes `application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', 'code'],
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      code: text,
      messageTranslation,
      errors: failures,
      parameters,
      mergedInto,
      requestId,
      recordId,
      body: { description: 'The body that a response without a problem document would have.' },
    },
  },
  duplicates: {
    type: 'array',
    description: 'Up to five possible duplicates of the new record.',
    items: objectOf({ id: text, _entityType: text }, ['id']),
  },
  modified: {
    type: 'object',
    description:
      'The stored values of the sent attributes that differ; empty if the user may not read the record.',
    required: ['values', 'versionNumber'],
    properties: { values: { type: 'object' }, versionNumber: { type: ['integer', 'null'] } },
  },
  secondStep: {
    type: 'object',
    description: 'The password is correct; the request also needs `Espo-Authorization-Code`.',
    required: ['status', 'message'],
    properties: {
      status: { const: 'secondStepRequired' },
      message: text,
      view: { type: 'null' },
      token: { type: 'null' },
      data: { type: 'object' },
    },
  },
};
