/** A part of a document, as JSON. */
export type Part = Readonly<Record<string, unknown>>;

type Component = 'headers' | 'parameters' | 'responses' | 'schemas';

/** A reference to a shared component. */
export function refer(component: Component, name: string): Part {
  return { $ref: `#/components/${component}/${name}` };
}

export function jsonContent(schema: Part, example?: unknown): Part {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}
