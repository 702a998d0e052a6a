import type { ListRequest } from '../search/list-request.ts';
import { readPage } from './read-page.ts';
import { last, readParameters } from './read-parameters.ts';

/**
 * Reads the page that a query asks for. Empty parameters count as absent and unknown ones are ignored; of a parameter
 * given twice the last one counts. `noTotal` is the X-No-Total header.
 */
export function readListRequest(
  query: Readonly<Record<string, unknown>>,
  noTotal: string | string[] | undefined,
): ListRequest {
  const parameters = readParameters(query);
  const select = parameters.get('attributeSelect') ?? parameters.get('select');
  return {
    ...readPage(parameters),
    orderBy: last(parameters, 'orderBy') ?? last(parameters, 'sortBy'),
    select: select === undefined ? undefined : readNames(select),
    withTotal: String(noTotal).toLowerCase() !== 'true',
  };
}

function readNames(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(',')).map((name) => name.trim());
}
