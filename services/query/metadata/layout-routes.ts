import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LayoutName } from '../../../shared/domain/entity/layout.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { type ReadDeps, readReader } from '../request/read-reader.ts';
import type { LayoutReader } from './layout-reader.ts';
import { layoutOf } from './layouts.ts';
import { isReached } from './reach.ts';

export type LayoutParams = { readonly entity: string; readonly name: string };
export type LayoutDeps = Omit<ReadDeps, 'prepare'>;

/** Registers reads of the layouts of entity types (docs/reference/api.md#screens). */
export function registerLayouts(server: FastifyInstance, deps: LayoutDeps): void {
  server.get<{ Params: LayoutParams }>(
    '/api/v1/:entity/layout/:name',
    layout,
    async (request, reply) => {
      const { entity, name } = request.params;
      const reader = await readLayoutReader(deps, request, entity);
      return sendJson(reply, layoutOf(reader, { name, directory: deps.directory }));
    },
  );
}

/** Returns the actor's view of an entity type, for its layouts. */
export async function readLayoutReader(
  deps: LayoutDeps,
  request: FastifyRequest,
  entity: string,
): Promise<LayoutReader> {
  const { directory } = deps;
  const reader = await readReader(deps, request, entity);
  const reached = directory.entities().filter((model) => isReached(reader.actor, model));
  const reach = new Set(reached.map((model) => model.name));
  return { ...reader, reach, findModel: directory.entity };
}

const columns = { answer: refer('schemas', 'layoutColumns') };
const panels = { answer: refer('schemas', 'layoutPanels') };
const errors = [...reading, 'access.denied', 'entity.unknown', 'layout.unknown'] as const;

const field = { ...text, description: 'The name of a field.' };

const layoutColumns: Part = {
  type: 'array',
  items: objectOf(
    { name: field, link: { const: true, description: 'Shows the field as a link to the record.' } },
    ['name'],
  ),
};

/** Stored panels may have other parts that only clients interpret. */
const layoutPanels: Part = { type: ['array', 'object'] };

const names: Part = {
  type: 'array',
  items: { type: ['string', 'object'], description: 'The name of a field or a link.' },
};

/** The layouts that the document describes, which every screen uses. Other layouts have the same form of path. */
export const describedLayouts: readonly LayoutName[] = [
  'list',
  'listSmall',
  'detail',
  'detailSmall',
  'filters',
  'massUpdate',
  'relationships',
];

/** Each name has a separate path, because a path parameter would clash with the links of a record. */
const layout = describeRoute({
  id: '{entity}_layout_{name}',
  tag: '{entity}',
  summary: 'Read the layout {name} of {entity}',
  parameters: ['X-Consistency-Token'],
  schemas: { layoutColumns, layoutPanels, layoutNames: names },
  answer: refer('schemas', 'layoutNames'),
  errors,
  expand: {
    values: { name: describedLayouts },
    but: {
      list: columns,
      listSmall: columns,
      detail: panels,
      detailSmall: panels,
      Webhook: { errors: [...errors, 'webhook.forbidden'] },
    },
  },
});
