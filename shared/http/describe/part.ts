/** A part of a JSON document; undefined properties are omitted. */
export type Part = Readonly<Record<string, unknown>>;

type Component = 'headers' | 'parameters' | 'responses' | 'schemas';

/** Returns a reference to a shared component. */
export function refer(component: Component, name: string): Part {
  return { $ref: `#/components/${component}/${name}` };
}

/** Returns a query parameter; `how` contains its schema or content. */
export function inQuery(name: string, description: string, how: Part): Part {
  return { name, in: 'query', description, ...how };
}

export function jsonContent(schema: Part, example?: unknown): Part {
  return { 'application/json': { schema, example } };
}

/** Maps each part and keeps its name. */
export function mapParts<Value>(
  values: Readonly<Record<string, Value>>,
  toPart: (value: Value, name: string) => Part,
): Readonly<Record<string, Part>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, toPart(value, name)]),
  );
}
