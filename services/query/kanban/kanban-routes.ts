import type { FastifyInstance } from 'fastify';
import { boardOf, requireBoard } from '../../../shared/domain/board/board.ts';
import { boardOrderType } from '../../../shared/domain/board/board-order.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { listed } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import { nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import type { QueryContext } from '../context.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { badParameter, last, readParameters } from '../request/read-parameters.ts';
import { type QueryRoute, readReader } from '../request/read-reader.ts';
import { reportIgnoredSelection } from '../request/report-ignored-selection.ts';
import { readBoard } from './read-board.ts';

type BoardRoute = QueryRoute & { readonly Params: { readonly entity: string } };

/** Registers `GET Kanban/{entityType}` (docs/reference/board.md). */
export function registerBoardReads(server: FastifyInstance, context: QueryContext): void {
  server.get<BoardRoute>('/api/v1/Kanban/:entity', board, async (request, reply) => {
    const reader = await readReader(context, request, request.params.entity);
    const shown = requireBoard(reader.model);
    if (!reader.view.isVisible(shown.status)) {
      throw new Refusal('forbidden', 'access.denied', 'No access to the status.');
    }
    const page = readListRequest(request.query, request.headers['x-no-total']);
    const sum = readSum(reader, last(readParameters({ sumOf: request.query['sumOf'] }), 'sumOf'));
    reportIgnoredSelection(reply, reader, page.select);
    const order = context.directory.record(boardOrderType, reader.actor.id);
    return readBoard(context, { ...reader, board: shown, request: page, sum, order });
  });
}

function readSum({ model, view }: Reader, name: string | undefined): Attribute | undefined {
  if (name === undefined) return undefined;
  const attribute = model.attribute.get(name);
  const isNumber = ['int', 'float', 'decimal'].includes(attribute?.kind ?? '');
  if (attribute?.stored === true && isNumber && view.isVisible(attribute)) return attribute;
  throw badParameter('sumOf must be an attribute with a number.');
}

const total = {
  type: 'integer',
  minimum: -2,
  description: 'The number of records. With X-No-Total: -1 if more records follow, otherwise -2.',
};
const records: Part = { type: 'array', items: refer('schemas', '{entity}') };

const board = describeRoute({
  id: 'Kanban{entity}',
  tag: '{entity}',
  summary: 'List records of {entity} by their status',
  description:
    'All groups are present. `offset` and `maxSize` apply to each group, and so does the order that the user chose. A group has fewer records if the response would exceed 4 MiB.',
  parameters: [
    ...searchParameters,
    inQuery('sumOf', 'An attribute with a number, which is added up per group.', { schema: text }),
    'X-No-Total',
  ],
  answer: objectOf({
    total,
    groups: {
      type: 'array',
      items: objectOf(
        {
          name: { ...text, description: 'An option of the status.' },
          total,
          sum: { type: ['number', 'null'], description: 'Only if the request has `sumOf`.' },
          list: { ...records, maxItems: 200 },
          label: nullableText,
          style: nullableText,
        },
        ['name', 'total', 'list', 'label', 'style'],
      ),
    },
    list: { ...records, description: 'The records of all groups.' },
  }),
  headers: ['X-Ignored-Attributes'],
  errors: [...listed, 'kanban.no_status'],
  expand: { isFor: (model) => boardOf(model) !== undefined },
});
