import type { FastifyInstance } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { closedObjectOf, text } from '../../../shared/http/describe/schemas.ts';
import { layoutNames, layoutOf } from '../metadata/layouts.ts';
import { isReached } from '../metadata/reach.ts';
import { type ReadDeps, readReader } from './request/read-reader.ts';

type LayoutParams = { readonly entity: string; readonly name: string };

/** Layouts of entity types (docs/reference/api.md#screens). */
export function registerLayouts(server: FastifyInstance, deps: ReadDeps): void {
  const { directory } = deps;
  server.get<{ Params: LayoutParams }>('/api/v1/:entity/layout/:name', layout, async (request) => {
    const { entity, name } = request.params;
    const reader = await readReader(deps, request, entity);
    const reached = directory.entities().filter((model) => isReached(reader.actor, model));
    const reach = new Set(reached.map((model) => model.name));
    return layoutOf({ ...reader, reach, findModel: directory.entity }, name);
  });
}

const columns = { answer: refer('schemas', 'layoutColumns') };
const panels = { answer: refer('schemas', 'layoutPanels') };
const errors = [...reading, 'access.denied', 'entity.unknown', 'layout.unknown'] as const;

const field = { ...text, description: 'Of a field.' };

const layoutColumns: Part = {
  type: 'array',
  items: closedObjectOf(
    { name: field, link: { const: true, description: 'Leads to the record.' } },
    ['name'],
  ),
};

const layoutPanels: Part = {
  type: 'array',
  items: closedObjectOf({
    label: text,
    rows: {
      type: 'array',
      items: { type: 'array', items: refer('schemas', 'layoutCell'), minItems: 1, maxItems: 2 },
    },
  }),
};

const layoutCell: Part = {
  anyOf: [
    { const: false, description: 'An empty place.' },
    closedObjectOf({ name: field, fullWidth: { const: true } }, ['name']),
  ],
};

const names: Part = { type: 'array', items: { ...text, description: 'Of a field, or a link.' } };

/** A separate path for each name: with a parameter for it they would clash with links of a record. */
const layout = describeRoute({
  id: '{entity}_layout_{name}',
  tag: '{entity}',
  summary: 'Tell how {entity} can be shown: {name}',
  parameters: ['X-Consistency-Token'],
  schemas: { layoutColumns, layoutPanels, layoutCell, layoutNames: names },
  answer: refer('schemas', 'layoutNames'),
  errors,
  expand: {
    values: { name: layoutNames },
    but: {
      list: columns,
      listSmall: columns,
      detail: panels,
      detailSmall: panels,
      Webhook: { errors: [...errors, 'webhook.forbidden'] },
    },
  },
});
