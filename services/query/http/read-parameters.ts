/** Values by name, at least one each. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** `select`, `select[]` and `select[0]` are one parameter, as PHP reads queries. Empty values count as none. */
export function readParameters(query: Readonly<Record<string, unknown>>): Parameters {
  const parameters = new Map<string, string[]>();
  for (const key of Object.keys(query)) {
    const bracket = key.indexOf('[');
    const name = bracket === -1 ? key : key.slice(0, bracket);
    const values = [query[key]]
      .flat()
      .map(String)
      .filter((value) => value !== '');
    if (values.length > 0) parameters.set(name, [...(parameters.get(name) ?? []), ...values]);
  }
  return parameters;
}

export function last(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.at(-1);
}
