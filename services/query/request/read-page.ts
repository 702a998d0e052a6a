import type { FastifyReply } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Direction, Page, SortedPage } from '../rows/page.ts';
import { badParameter, last, type Parameters } from './read-parameters.ts';
import { reportIgnoredForm } from './report-ignored-selection.ts';

const MAX_PAGE_SIZE = 200;

/**
 * Parameters that only lists support. Other routes reject them, because clients would take an unfiltered response for a
 * filtered one.
 */
const ofLists = [
  'where',
  'whereGroup',
  'textFilter',
  'q',
  'primaryFilter',
  'boolFilterList',
  'searchParams',
] as const;

/** Reads the page and its direction. The last value of a repeated parameter counts. */
export function readPage(
  parameters: Parameters,
): Page & { readonly direction: Direction | undefined } {
  refuseParameters(parameters, ['asOf']);
  return {
    offset: readCount(parameters, 'offset') ?? 0,
    maxSize: readPageSize(parameters),
    direction: readDirection(parameters),
  };
}

/** Reads the page of a list that cannot be filtered. `usual` is the direction if the client does not request one. */
export function readPlainPage(parameters: Parameters, usual: Direction = 'asc'): SortedPage {
  refuseFilters(parameters);
  const { direction = usual, ...page } = readPage(parameters);
  return { ...page, direction };
}

/** Reads the page of a list with a fixed form and order. Reports parameters for another form or order as ignored. */
export function readFixedPage(
  parameters: Parameters,
  reply: FastifyReply,
  usual?: Direction,
): SortedPage {
  reportIgnoredForm(reply, parameters);
  return readPlainPage(parameters, usual);
}

/** Rejects filters for responses that cannot be filtered. */
export function refuseFilters(parameters: Parameters): void {
  refuseParameters(parameters, ofLists);
}

export function refuseParameters(parameters: Parameters, names: readonly string[]): void {
  const found = names.find((name) => parameters.has(name));
  if (found === undefined) return;
  const message = `Parameter '${found}' is not supported here.`;
  throw new Refusal('invalid', 'parameter.unsupported', message);
}

function readPageSize(parameters: Parameters): number {
  const size = readCount(parameters, 'maxSize') ?? MAX_PAGE_SIZE;
  if (size <= MAX_PAGE_SIZE) return size;
  const message = `Max size should not exceed ${MAX_PAGE_SIZE}. Use offset and limit.`;
  throw new Refusal('forbidden', 'list.too_large', message);
}

/**
 * Returns the maximum length of long texts in a list, limited to the largest integer that Postgres accepts; undefined
 * if it is not given.
 */
export function readTextLength(parameters: Parameters): number | undefined {
  const length = readCount(parameters, 'maxTextAttributeLength');
  return length === undefined ? undefined : Math.min(length, 2 ** 31 - 1);
}

/** Reads a non-negative integer. `meaning` describes valid values in the error message. */
export function readCount(
  parameters: Parameters,
  name: string,
  meaning = 'a non-negative integer',
): number | undefined {
  const text = last(parameters, name);
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw badParameter(`${name} must be ${meaning}, not '${text.slice(0, 50)}'.`);
}

/** Reads `order=asc|desc`, or the older `asc=true|false`. */
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
  throw badParameter(`${name} must be one of ${choices}, not '${text.slice(0, 50)}'.`);
}
