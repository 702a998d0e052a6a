import { Refusal } from '../../../shared/domain/errors.ts';
import { isObject } from '../../../shared/domain/value/attribute-values.ts';
import { parseJson } from '../../../shared/domain/value/parse-json.ts';
import type { ListFilter } from '../../../shared/search/list-filter.ts';
import { readTextMode } from '../../../shared/search/read-search-params.ts';
import { badWhere, readWhereItems, toList } from '../../../shared/search/where/where-item.ts';
import { readPage, readTextLength } from '../request/read-page.ts';
import {
  badParameter,
  last,
  type Parameters,
  type Query,
  readParameters,
  splitNames,
} from '../request/read-parameters.ts';
import type { Direction, Page } from '../rows/page.ts';

/** A page in a list of records, as requested by a client. */
export interface ListRequest extends Page {
  readonly orderBy: string | undefined;
  readonly direction: Direction | undefined;
  readonly select: readonly string[] | undefined;
  /** True if long texts are not truncated. */
  readonly isWhole?: boolean;
  /** The length to which long texts are truncated; undefined means the default. */
  readonly maxTextLength?: number | undefined;
  readonly withTotal: boolean;
  /** Undefined means every record that the actor may read. */
  readonly filter: ListFilter | undefined;
}

/**
 * Reads the page that a query requests (docs/reference/search.md), either from its parameters or, if `searchParams` is
 * given, only from that JSON. Empty parameters count as absent and unknown ones are ignored; the last value of a
 * repeated parameter counts. `noTotal` is the X-No-Total header.
 */
export function readListRequest(query: Query, noTotal: string | string[] | undefined): ListRequest {
  const json = last(readParameters({ searchParams: query['searchParams'] }), 'searchParams');
  const params = json === undefined ? {} : readJson(json);
  // Forms send an empty object if no filter was entered.
  const isInJson = Object.keys(params).length > 0;
  const { parameters, select, where } = isInJson ? fromJson(params) : fromQuery(query);
  const q = last(parameters, 'q');
  return {
    ...readPage(parameters),
    orderBy: last(parameters, 'orderBy') ?? last(parameters, 'sortBy'),
    select,
    maxTextLength: readTextLength(parameters),
    // `q` is for search-as-you-type, which needs no total.
    withTotal: q === undefined && String(noTotal).toLowerCase() !== 'true',
    filter: readFilter(parameters, where, q),
  };
}

interface ListInput {
  readonly parameters: Parameters;
  readonly select: readonly string[] | undefined;
  readonly where: unknown;
}

function fromQuery(query: Query): ListInput {
  const { where, whereGroup, ...others } = query;
  const parameters = readParameters(others);
  const select = parameters.get('attributeSelect') ?? parameters.get('select');
  return {
    parameters,
    select: select === undefined ? undefined : splitNames(select),
    where: readWhere(whereGroup) ?? readWhere(where),
  };
}

/** An empty list means no condition, and a value that is not a list is dropped, as clients expect. */
function readWhere(given: unknown): unknown {
  const isJson = typeof given === 'string' && given.startsWith('[');
  const list = isJson ? readText(given, 'where') : toList(given);
  return Array.isArray(list) && list.length === 0 ? undefined : list;
}

const jsonKeys = [
  'orderBy',
  'order',
  'offset',
  'maxSize',
  'maxTextAttributeLength',
  'textFilter',
  'textFilterMode',
  'q',
  'primaryFilter',
  'boolFilterList',
] as const;

const jsonCounts = ['maxSize', 'offset', 'maxTextAttributeLength'] as const;

function fromJson(params: Query): ListInput {
  const { select, where, boolFilterList } = params;
  for (const name of jsonCounts) {
    const count = params[name] ?? 0;
    if (!Number.isInteger(count)) throw badParameter(`${name} must be integer.`);
  }
  if (!Array.isArray(boolFilterList ?? [])) throw badParameter('boolFilterList should be array.');
  const nested = jsonKeys.find((name) => !isFlat(params[name]));
  if (nested !== undefined)
    throw badParameter(`${nested} must be a string or an array of strings.`);
  const known = Object.fromEntries(jsonKeys.map((key) => [key, params[key]]));
  const parameters = readParameters(known);
  return { parameters, select: readJsonSelect(select), where: where ?? undefined };
}

/** Unlike a query, JSON may be nested too deeply to be traversed. */
function isFlat(value: unknown): boolean {
  return [value].flat().every((one) => typeof one !== 'object' || one === null);
}

function readJsonSelect(select: unknown): readonly string[] | undefined {
  if (select === undefined || select === null) return undefined;
  if (typeof select === 'string') return splitNames([select]);
  if (Array.isArray(select) && select.every((name) => typeof name === 'string')) return select;
  throw badParameter('select should be array.');
}

function readFilter(
  parameters: Parameters,
  where: unknown,
  q: string | undefined,
): ListFilter | undefined {
  const filter = {
    where: where === undefined ? [] : readWhereItems(where),
    text: last(parameters, 'textFilter') ?? q,
    textMode: readTextMode(last(parameters, 'textFilterMode')),
    primary: last(parameters, 'primaryFilter'),
    bools: parameters.get('boolFilterList') ?? [],
    userType: last(parameters, 'userType'),
  };
  const isEmpty = Object.values(filter)
    .flat()
    .every((one) => one === undefined);
  return isEmpty ? undefined : filter;
}

function readJson(json: string): Query {
  const params = readText(json, 'search params');
  if (isObject(params)) return { ...params };
  throw badParameter('Invalid search params JSON.');
}

function readText(json: string, what: 'where' | 'search params'): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    const reason = error instanceof Refusal ? error.message : `Invalid ${what} JSON.`;
    throw what === 'where' ? badWhere(reason) : badParameter(reason);
  }
}
