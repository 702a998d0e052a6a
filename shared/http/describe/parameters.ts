import { userDefinition } from '../../domain/entity/stock/user.ts';
import { columnConditionTypes } from '../../search/where/column-conditions.ts';
import { dateConditionTypes } from '../../search/where/date-conditions.ts';
import { linkConditionTypes } from '../../search/where/link-conditions.ts';
import { userConditionTypes } from '../../search/where/user-conditions.ts';
import { arrayConditionTypes, valueConditionTypes } from '../../search/where/value-conditions.ts';
import { jsonContent, mapParts, type Part, refer } from './part.ts';
import { count, id, nullableText, text } from './schemas.ts';

const yesOrNo = { ...text, enum: ['true', 'false'] };
const versionTag = { ...text, examples: ['"v7"'] };
/** `a,b` */
const namesInOne = { style: 'form', explode: false, schema: { type: 'array', items: text } };
const nullableCount = { ...count, type: ['integer', 'null'] };

/** Request parameters and headers, by name. */
const parameters = {
  id: { in: 'path', required: true, schema: id },
  'Espo-Authorization-By-Token': header('Accepts only a token, not a password.', yesOrNo),
  'Espo-Authorization-Code': header('The second-factor code that accompanies a password.', {
    ...text,
    examples: ['123456'],
  }),
  'Espo-Authorization-Create-Token-Secret': header('The login also sets a cookie.', yesOrNo),
  'Idempotency-Key': header(
    'Repeating a request with the same key returns the first response; a different request with the same key is rejected.',
    {
      ...text,
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    },
  ),
  'If-Match': header('Changes the record only if it has one of these versions.', versionTag),
  'If-None-Match': header('Returns 304 if the record has one of these versions.', versionTag),
  Prefer: header(
    '`return=minimal` returns 204 without a body; `respond-async` responds before reads include the change.',
    { ...text, examples: ['return=minimal'] },
  ),
  traceparent: header('W3C Trace Context, which is propagated to events and webhooks.'),
  'X-Another-User': header('An administrator acts as this user.'),
  'X-Consistency-Token': header(
    'The token of a write: the read waits until it includes that write.',
  ),
  'X-Duplicate-Source-Id': header(
    'The id of another record: its links are copied to the new record as far as the user may edit the linked records.',
  ),
  'X-No-Total': header(
    'Skips counting: `total` is -1 if more records follow, otherwise -2.',
    yesOrNo,
  ),
  'X-Skip-Duplicate-Check': header(
    'Creates the record even if it has possible duplicates.',
    yesOrNo,
  ),
  'X-Strict': header('Rejects attributes that do not exist or may not be edited.', yesOrNo),
  'X-Version-Number': header(
    'The version that the client has seen: returns 409 if the change would overwrite newer values.',
    count,
  ),
  whereGroup: query(
    'Conditions, as JSON or as `whereGroup[0][type]=…`; all of them must match.',
    conditions(),
  ),
  where: query('An older name of `whereGroup`.', conditions()),
  attributeSelect: query(
    'Attributes to return. The response always includes the id, and the assigned user and the sort attribute if the user may see them.',
    { ...namesInOne, example: ['id', 'name'] },
  ),
  select: query('An older name of `attributeSelect`.', namesInOne),
  textFilter: query(
    'Each word matches the beginning of a word in the name, e-mail address and similar fields, or digits of a telephone number; `*` matches any text.',
  ),
  textFilterMode: query(
    'How `textFilter` and `q` compare: by words, or as in EspoCRM by the beginnings of fields.',
    { schema: { ...text, enum: ['words', 'espo'], default: 'words' } },
  ),
  q: query('Like `textFilter`, but without a total.'),
  primaryFilter: query('The name of one filter.'),
  boolFilterList: query(
    'Names of filters of which at least one must match: `boolFilterList[]=onlyMy`.',
    {
      style: 'deepObject',
      explode: true,
      schema: { type: 'array', items: text },
    },
  ),
  userType: query('Only users of this type; `internal` are the people who use Annals.', {
    schema: { ...text, enum: userDefinition.typeFilters },
  }),
  orderBy: query('A field to sort by; ties are sorted by id.'),
  order: query('The sort direction.', { schema: { ...text, enum: ['asc', 'desc'] } }),
  sortBy: query('An older name of `orderBy`.'),
  asc: query('An older form of `order`.', { schema: yesOrNo }),
  offset: query('The number of records to skip.', { schema: { ...count, default: 0 } }),
  maxSize: query('The number of records per page.', {
    schema: { ...count, maximum: 200, default: 200 },
  }),
  maxTextAttributeLength: query(
    'The length in characters to which long texts are truncated: by default 10,000 if attributes are selected, otherwise unlimited.',
    { schema: count },
  ),
  searchParams: query(
    'The entire search as one JSON object; unless it is empty, the other parameters are ignored.',
    { content: jsonContent(refer('schemas', 'searchParams'), {}) },
  ),
  asOf: query(
    'The time at which to return the record, or the records in a link, with an offset or in UTC. A date means midnight.',
    {
      schema: {
        ...text,
        examples: ['2030-01-31 10:00:00', '2030-01-31T10:00:00.123+01:00', '2030-01-31'],
      },
    },
  ),
} as const satisfies Readonly<Record<string, Part>>;

export type ParameterName = keyof typeof parameters;

/** The parameters of every list of records; the names of filters depend on the entity type. */
export const searchParameters: readonly ParameterName[] = [
  'attributeSelect',
  'select',
  'whereGroup',
  'where',
  'textFilter',
  'textFilterMode',
  'q',
  'orderBy',
  'order',
  'sortBy',
  'asc',
  'offset',
  'maxSize',
  'maxTextAttributeLength',
  'searchParams',
  'X-Consistency-Token',
  'primaryFilter',
  'boolFilterList',
  'userType',
];

function header(description: string, schema: Part = text): Part {
  return { in: 'header', required: false, description, schema };
}

function query(description: string, how: Part = { schema: text }): Part {
  return { in: 'query', required: false, description, ...how };
}

/** The examples here and in `searchParams` match everything, because the API console prefills its forms with them. */
function conditions(): Part {
  return { content: jsonContent(refer('schemas', 'whereItems'), []) };
}

/** Returns the parameters by their component names. */
export function parameterComponents(): Readonly<Record<string, Part>> {
  return mapParts<Part>(parameters, (parameter, name) => ({ name, ...parameter }));
}

const conditionTypes: readonly string[] = [
  ...new Set([
    'and',
    'or',
    ...valueConditionTypes,
    ...arrayConditionTypes,
    ...dateConditionTypes,
    ...linkConditionTypes,
    ...columnConditionTypes,
    ...userConditionTypes,
    'textFilter',
    'primary',
    'bool',
  ]),
];

/** Schemas for searches (docs/reference/search.md). */
export const searchSchemas: Readonly<Record<string, Part>> = {
  whereItem: {
    type: 'object',
    required: ['type'],
    additionalProperties: false,
    properties: {
      type: { ...text, enum: conditionTypes },
      attribute: { ...text, description: 'An attribute, or the name of a link.' },
      field: { ...text, description: 'An older name of `attribute`.' },
      value: { description: 'The value to compare with; a list of conditions for `and` and `or`.' },
      dateTime: { type: 'boolean', description: 'The value is a time, not a day.' },
      date: { type: 'boolean' },
      timeZone: {
        ...text,
        description: 'The time zone of days and of times without an offset. UTC by default.',
        examples: ['Europe/Berlin'],
      },
    },
    examples: [{ type: 'contains', attribute: 'name', value: 'acme' }],
  },
  whereItems: { type: 'array', items: refer('schemas', 'whereItem'), maxItems: 200 },
  searchParams: {
    type: 'object',
    properties: {
      select: { type: 'array', items: text },
      orderBy: nullableText,
      order: { ...nullableText, enum: ['asc', 'desc', null] },
      offset: nullableCount,
      maxSize: { ...nullableCount, maximum: 200 },
      maxTextAttributeLength: nullableCount,
      where: refer('schemas', 'whereItems'),
      textFilter: nullableText,
      textFilterMode: { ...nullableText, enum: ['words', 'espo', null] },
      q: nullableText,
      primaryFilter: nullableText,
      boolFilterList: { type: 'array', items: text },
    },
    examples: [{ where: [{ type: 'isTrue', attribute: 'doNotCall' }], maxSize: 20 }],
  },
};
