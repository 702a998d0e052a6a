import { Refusal } from '../domain/errors.ts';
import type { ListFilter } from './list-filter.ts';
import type { TextMode } from './where/where-context.ts';
import { readWhereItems } from './where/where-item.ts';

/** Reads the filter from search parameters in a JSON body. Ignores paging parameters (order, size, attributes). */
export function readSearchParams(params: Readonly<Record<string, unknown>>): ListFilter {
  const { where, boolFilterList } = params;
  return {
    where: where == null ? [] : readWhereItems(where),
    text: readText(params, 'textFilter') ?? readText(params, 'q'),
    textMode: readTextMode(readText(params, 'textFilterMode')),
    primary: readText(params, 'primaryFilter'),
    bools: readNames(boolFilterList ?? []),
  };
}

/** Reads how a text search compares. Throws for unknown modes. */
export function readTextMode(mode: string | undefined): TextMode | undefined {
  if (mode === undefined || mode === 'words' || mode === 'espo') return mode;
  throw invalid("textFilterMode should be 'words' or 'espo'.");
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
