/** A part of a document, as JSON, which leaves out what is undefined. */
export type Part = Readonly<Record<string, unknown>>;

type Component = 'headers' | 'parameters' | 'responses' | 'schemas';

/** A reference to a shared component. */
export function refer(component: Component, name: string): Part {
  return { $ref: `#/components/${component}/${name}` };
}

/** A parameter of the query, with its schema and the like in `how`. */
export function inQuery(name: string, description: string, how: Part): Part {
  return { name, in: 'query', description, ...how };
}

export function jsonContent(schema: Part, example?: unknown): Part {
  return { 'application/json': { schema, example } };
}

/** A part for each of these, by the same names. */
export function mapParts<Value>(
  values: Readonly<Record<string, Value>>,
  toPart: (value: Value, name: string) => Part,
): Readonly<Record<string, Part>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, toPart(value, name)]),
  );
}
