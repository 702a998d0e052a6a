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

/** The parameters and headers of requests, by name. */
const parameters = {
  id: { in: 'path', required: true, schema: id },
  'Espo-Authorization-By-Token': header('Nothing but a token lets in.', yesOrNo),
  'Espo-Authorization-Code': header('The second factor, beside a password.', {
    ...text,
    examples: ['123456'],
  }),
  'Espo-Authorization-Create-Token-Secret': header('The log-in also sets a cookie.', yesOrNo),
  'Idempotency-Key': header(
    'The same key with the same request has the first answer again; with another request it is refused.',
    {
      ...text,
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    },
  ),
  'If-Match': header('Changes the record only if it has one of these versions.', versionTag),
  'If-None-Match': header('Answers 304 if the record has one of these versions.', versionTag),
  Prefer: header(
    '`return=minimal` answers 204; `respond-async` answers before reads see the change.',
    { ...text, examples: ['return=minimal'] },
  ),
  traceparent: header('W3C Trace Context, which goes on into events and webhooks.'),
  'X-Another-User': header('An administrator acts as this user.'),
  'X-Consistency-Token': header('Of a write: the read waits until it sees it.'),
  'X-Duplicate-Source-Id': header(
    'Of another record: what it is linked with, and the user may change, is linked with the new one.',
  ),
  'X-No-Total': header('Nobody counts: `total` is -1 if more follows, -2 if not.', yesOrNo),
  'X-Skip-Duplicate-Check': header('Creates the record even if there is one like it.', yesOrNo),
  'X-Strict': header('Attributes that do not exist, or may not be edited, are refused.', yesOrNo),
  'X-Version-Number': header(
    'The version that the client has seen: 409 if the change would overwrite something newer.',
    count,
  ),
  whereGroup: query(
    'Conditions, as JSON or as `whereGroup[0][type]=…`; all of them have to hold.',
    conditions(),
  ),
  where: query('An older name of `whereGroup`.', conditions()),
  attributeSelect: query(
    'Attributes to answer. The id always comes, and whose the record is and what the list is sorted by as far as they may be seen.',
    { ...namesInOne, example: ['id', 'name'] },
  ),
  select: query('An older name of `attributeSelect`.', namesInOne),
  textFilter: query('Name, e-mail address and the like begin with it; `*` stands for anything.'),
  q: query('As `textFilter`, without a total.'),
  primaryFilter: query('One named filter.'),
  boolFilterList: query('Named filters, one of which has to hold: `boolFilterList[]=onlyMy`.', {
    style: 'deepObject',
    explode: true,
    schema: { type: 'array', items: text },
  }),
  userType: query('Only users of this type: `internal` are the people who work with Annals.', {
    schema: { ...text, enum: userDefinition.typeFilters },
  }),
  orderBy: query('A field to sort by; ties are sorted by id.'),
  order: query('The direction.', { schema: { ...text, enum: ['asc', 'desc'] } }),
  sortBy: query('An older name of `orderBy`.'),
  asc: query('An older form of `order`.', { schema: yesOrNo }),
  offset: query('Records to pass over.', { schema: { ...count, default: 0 } }),
  maxSize: query('Records of a page.', {
    schema: { ...count, maximum: 200, default: 200 },
  }),
  maxTextAttributeLength: query(
    'To how many characters long texts are cut: 10,000 if attributes are chosen, else they are whole.',
    { schema: count },
  ),
  searchParams: query(
    'All of the search as one JSON object: with anything in it, the other parameters are ignored.',
    { content: jsonContent(refer('schemas', 'searchParams'), {}) },
  ),
  asOf: query('The record as it was then: with an offset, or in UTC. A day is its midnight.', {
    schema: {
      ...text,
      examples: ['2030-01-31 10:00:00', '2030-01-31T10:00:00.123+01:00', '2030-01-31'],
    },
  }),
} as const satisfies Readonly<Record<string, Part>>;

export type ParameterName = keyof typeof parameters;

/** What every list of records takes; what its filters are called depends on the entity type. */
export const searchParameters: readonly ParameterName[] = [
  'attributeSelect',
  'select',
  'whereGroup',
  'where',
  'textFilter',
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

/**
 * The example restricts nothing, here and for `searchParams`, because the page to try the API fills its forms with it.
 */
function conditions(): Part {
  return { content: jsonContent(refer('schemas', 'whereItems'), []) };
}

/** By their names as components. */
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

/** Schemas of searches (docs/reference/search.md). */
export const searchSchemas: Readonly<Record<string, Part>> = {
  whereItem: {
    type: 'object',
    required: ['type'],
    additionalProperties: false,
    properties: {
      type: { ...text, enum: conditionTypes },
      attribute: { ...text, description: 'An attribute, or the name of a link.' },
      field: { ...text, description: 'An older name of `attribute`.' },
      value: { description: 'What to compare with; of `and` and `or` a list of conditions.' },
      dateTime: { type: 'boolean', description: 'A time is meant, not a day.' },
      date: { type: 'boolean' },
      timeZone: {
        ...text,
        description: 'The zone of days, and of times without an offset. UTC by default.',
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
      q: nullableText,
      primaryFilter: nullableText,
      boolFilterList: { type: 'array', items: text },
    },
    examples: [{ where: [{ type: 'isTrue', attribute: 'doNotCall' }], maxSize: 20 }],
  },
};
