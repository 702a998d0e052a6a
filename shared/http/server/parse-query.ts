import { parse as parseFlat } from 'node:querystring';
import { parse as parseNested } from 'qs';

/** Deeper than any valid search, so that the search itself can reject excessive nesting with a proper error. */
const MAX_DEPTH = 64;
const MAX_PARAMETERS = 5_000;
const MAX_LISTED = 5_000;

/** Parses queries like PHP: `where[0][value][]=a`, with brackets encoded or not, becomes lists and objects. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  // Nearly every query is flat, and the plain parser is several times faster.
  if (!/\[|%5b/i.test(text)) return { ...parseFlat(text) };
  return parseNested(text, {
    depth: MAX_DEPTH,
    parameterLimit: MAX_PARAMETERS,
    arrayLimit: MAX_LISTED,
    plainObjects: true,
    allowSparse: false,
  });
}
