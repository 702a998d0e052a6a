import { Refusal } from '../domain/errors.ts';
import type { ListFilter } from './list-filter.ts';
import { readWhereItems } from './where/where-item.ts';

/** Reads the filter from search parameters in a JSON body. Ignores paging parameters (order, size, attributes). */
export function readSearchParams(params: Readonly<Record<string, unknown>>): ListFilter {
  const { where, boolFilterList } = params;
  return {
    where: where == null ? [] : readWhereItems(where),
    text: readText(params, 'textFilter') ?? readText(params, 'q'),
    primary: readText(params, 'primaryFilter'),
    bools: readNames(boolFilterList ?? []),
  };
}

function readNames(names: unknown): readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw invalid('boolFilterList should be array.');
}

function readText(params: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = params[name];
  if (value == null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw invalid(`${name} should be string.`);
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', 'parameter.invalid', message);
}
