/** A piece of a document, as JSON has it. */
export type Part = Readonly<Record<string, unknown>>;

type Component = 'headers' | 'parameters' | 'responses' | 'schemas';

/** Points to what several places share. */
export function refer(component: Component, name: string): Part {
  return { $ref: `#/components/${component}/${name}` };
}

export function jsonContent(schema: Part, example?: unknown): Part {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}
