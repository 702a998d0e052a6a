import { Refusal } from '../../../shared/domain/errors.ts';
import type { ListRequest } from '../search/list-request.ts';
import type { Direction } from '../search/order-plan.ts';

const maxPageSize = 200;

/** Filters that are not there yet: a list that ignored one would look as if it were filtered. */
const unsupported = [
  'where',
  'whereGroup',
  'textFilter',
  'q',
  'primaryFilter',
  'boolFilterList',
  'searchParams',
] as const;

type Parameters = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the page that a query asks for. Empty parameters count as absent and unknown ones are ignored; of a parameter
 * given twice the last one counts. `noTotal` is the X-No-Total header.
 */
export function readListRequest(
  query: Readonly<Record<string, unknown>>,
  noTotal: string | string[] | undefined,
): ListRequest {
  const parameters = readParameters(query);
  refuseFilters(parameters);
  const select = parameters.get('attributeSelect') ?? parameters.get('select');
  return {
    offset: readCount(parameters, 'offset') ?? 0,
    maxSize: readPageSize(parameters),
    orderBy: last(parameters, 'orderBy') ?? last(parameters, 'sortBy'),
    direction: readDirection(parameters),
    select: select === undefined ? undefined : readNames(select),
    withTotal: String(noTotal).toLowerCase() !== 'true',
  };
}

/** `select`, `select[]` and `select[0]` are one parameter, as PHP reads queries. */
function readParameters(query: Readonly<Record<string, unknown>>): Parameters {
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

function last(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.at(-1);
}

function refuseFilters(parameters: Parameters): void {
  const found = unsupported.find((name) => parameters.has(name));
  if (found === undefined) return;
  throw new Refusal(
    'invalid',
    'parameter.unsupported',
    `Parameter '${found}' is not supported yet.`,
  );
}

function readPageSize(parameters: Parameters): number {
  const size = readCount(parameters, 'maxSize') ?? maxPageSize;
  if (size <= maxPageSize) return size;
  throw new Refusal(
    'forbidden',
    'list.too_large',
    `Max size should not exceed ${maxPageSize}. Use offset and limit.`,
  );
}

function readCount(parameters: Parameters, name: string): number | undefined {
  const text = last(parameters, name);
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw new Refusal(
    'invalid',
    'parameter.invalid',
    `${name} must be an integer from 0 on, not '${text.slice(0, 50)}'.`,
  );
}

/** `order=asc|desc`, or the older `asc=true|false`. */
function readDirection(parameters: Parameters): Direction | undefined {
  const order = last(parameters, 'order');
  if (order !== undefined) return oneOf('order', order, { asc: 'asc', desc: 'desc' });
  const asc = last(parameters, 'asc');
  if (asc === undefined) return undefined;
  return oneOf('asc', asc, { true: 'asc', false: 'desc', 1: 'asc', 0: 'desc' });
}

function oneOf(
  name: string,
  text: string,
  meanings: Readonly<Record<string, Direction>>,
): Direction {
  const key = text.toLowerCase();
  const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
  if (meaning !== undefined) return meaning;
  const choices = Object.keys(meanings).join(', ');
  throw new Refusal(
    'invalid',
    'parameter.invalid',
    `${name} must be one of ${choices}, not '${text.slice(0, 50)}'.`,
  );
}

function readNames(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(',')).map((name) => name.trim());
}
