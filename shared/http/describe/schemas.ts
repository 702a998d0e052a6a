import { type Part, refer } from './part.ts';

export const text = { type: 'string' };
export const nullableText = { type: ['string', 'null'] };
export const id = { ...text, minLength: 1 };
export const ids = { type: 'array', items: id, examples: [['6920300f5a1b2c3d4']] };
export const count = { type: 'integer', minimum: 0 };
export const flag = { type: 'boolean' };
export const anything = { type: 'object', additionalProperties: true };
/** How a body selects records by a search. */
export const searchInBody = {
  where: { type: 'array', items: refer('schemas', 'whereItem') },
  searchParams: anything,
};
export const currencyRates = {
  type: 'object',
  description: 'The value of one unit of each currency in the default currency.',
  additionalProperties: { type: 'number', exclusiveMinimum: 0 },
  examples: [{ EUR: 1.1 }],
};

export function objectOf(
  properties: Part,
  required: readonly string[] = Object.keys(properties),
): Part {
  return { type: 'object', required, properties };
}

/** Properties of a change that are absent unless an administrator acted as another user. */
export const administrator: Part = {
  administratorId: { ...text, description: 'The administrator who acted as this user.' },
  administratorName: nullableText,
};

/** Returns the schema for an object without additional properties. */
export function closedObjectOf(properties: Part, required?: readonly string[]): Part {
  return { ...objectOf(properties, required), additionalProperties: false };
}

/** Returns the schema for a page with a total. */
export function pageOf(items: Part, { maxItems }: { readonly maxItems?: number } = {}): Part {
  return objectOf({ total: count, list: { type: 'array', items, maxItems } });
}

/** Returns the schema for a page of records of one type. */
export function recordsOf(entityType: string): Part {
  return objectOf({
    total: { type: 'integer', minimum: -2, description: 'The number of records on all pages.' },
    list: { type: 'array', items: refer('schemas', entityType), maxItems: 200 },
  });
}
