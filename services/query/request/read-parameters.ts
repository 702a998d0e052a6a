import { Refusal } from '../../../shared/domain/errors.ts';

/** A query as parsed by `parseQuery`. */
export type Query = Readonly<Record<string, unknown>>;

/** Values by name. Each name has at least one value. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the texts of each parameter of a query: `select`, `select[]` and `select[0]` are one parameter. Empty values
 * are dropped.
 */
export function readParameters(query: Query): Parameters {
  const parameters = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(query)) {
    const values = leavesOf(value).filter((text) => text !== '');
    if (values.length > 0) parameters.set(name, values);
  }
  return parameters;
}

function leavesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leavesOf) : [String(value)];
}

export function last(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.at(-1);
}

/** Reads names from `a,b` or a repeated parameter; undefined if it is not given. */
export function readNames(parameters: Parameters, name: string): readonly string[] | undefined {
  const names = new Set(splitNames(parameters.get(name) ?? []).filter((one) => one !== ''));
  return names.size === 0 ? undefined : [...names];
}

export function splitNames(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(',')).map((name) => name.trim());
}

/** Reads one of `choices`; undefined if the parameter is not given. */
export function readOneOf<Choice extends string>(
  parameters: Parameters,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = last(parameters, name);
  const choice = choices.find((one) => one === given);
  if (given === undefined || choice !== undefined) return choice;
  throw badParameter(`${name} must be one of ${choices.join(', ')}.`);
}

export function badParameter(message: string): Refusal {
  return new Refusal('invalid', 'parameter.invalid', message);
}
