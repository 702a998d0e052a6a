import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { isCustomizable } from '../../../shared/domain/entity/definition/entity-definition.ts';
import {
  badLayout,
  type LayoutName,
  layoutsIn,
  readLayout,
  requireLayoutName,
} from '../../../shared/domain/entity/layout.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading, written } from '../../../shared/http/describe/error-lists.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { requireObject, textIn } from '../../../shared/http/require-object.ts';
import type { SaveLayout } from '../../../shared/http/save-layout.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { QueryContext, WritingContext } from '../context.ts';
import { last, readParameters } from '../request/read-parameters.ts';
import { type QueryRoute, readReader } from '../request/read-reader.ts';
import { defaultLayout, layoutOf } from './layouts.ts';
import { isReached, type LayoutReader } from './reach.ts';

type LayoutParams = { readonly entity: string; readonly name: string };

/** Registers the routes that read the layouts of entity types (docs/reference/api.md#screens). */
export function registerLayouts(server: FastifyInstance, context: QueryContext): void {
  server.get<{ Params: LayoutParams }>(
    '/api/v1/:entity/layout/:name',
    layout,
    async (request, reply) => {
      const { entity, name } = request.params;
      const reader = await readLayoutReader(context, request, entity);
      return sendJson(reply, layoutOf(reader, name, context.directory));
    },
  );
}

/** Returns the actor's view of an entity type, for its layouts. */
async function readLayoutReader(
  context: QueryContext,
  request: FastifyRequest,
  entity: string,
): Promise<LayoutReader> {
  const { directory } = context;
  const reader = await readReader(context, request, entity);
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

/** Stored panels may contain other parts that only clients interpret. */
const layoutPanels: Part = { type: ['array', 'object'] };

const names: Part = {
  type: 'array',
  items: { type: ['string', 'object'], description: 'The name of a field or a link.' },
};

/**
 * The layouts that the API document describes, because every screen uses them. Other layouts have paths of the same
 * form.
 */
const describedLayouts: readonly LayoutName[] = [
  'list',
  'listSmall',
  'detail',
  'detailSmall',
  'filters',
  'massUpdate',
  'relationships',
];

/** Each name has a separate path, because a path parameter would clash with a record's links. */
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

/**
 * Registers the routes that write layouts, which administrators store in place of generated ones
 * (docs/reference/api.md#screens).
 */
export function registerLayoutWrites(server: FastifyInstance, context: WritingContext): void {
  server.put<{ Params: LayoutParams }>(
    '/api/v1/:entity/layout/:name',
    writeLayout,
    async (request, reply) => {
      const { model, name } = await readWrite(context, request, request.params);
      const layout = readLayout(request.body, name);
      const change = { entityType: model.name, names: [name], layout };
      return save(context, reply, { ...change, body: layout });
    },
  );

  server.get<QueryRoute>(
    '/api/v1/Layout/action/getOriginal',
    readOriginal,
    async (request, reply) => {
      const parameters = readParameters(request.query);
      refuseSet(last(parameters, 'setId'));
      const entity = last(parameters, 'scope') ?? '';
      const reader = await readLayoutReader(context, request, entity);
      requireAdministrator(reader.actor);
      const name = last(parameters, 'name') ?? '';
      return sendJson(reply, layoutOf(reader, name, context.directory));
    },
  );

  server.post('/api/v1/Layout/action/resetToDefault', resetLayout, async (request, reply) => {
    const sent = requireObject(request.body);
    refuseSet(sent['setId']);
    const place = { entity: textIn(sent, 'scope'), name: textIn(sent, 'name') };
    const { model, name, reader } = await readWrite(context, request, place);
    const body = defaultLayout(reader, name);
    const names = resetWith(name);
    const stored = layoutsIn(context.directory.record(entityDefinitionType, model.name));
    if (names.every((one) => stored[one] === undefined)) return sendJson(reply, body);
    return save(context, reply, { entityType: model.name, names, layout: null, body });
  });
}

/** Panels below a record are generated from its relationships. */
function resetWith(name: LayoutName): readonly LayoutName[] {
  return name === 'bottomPanelsDetail' ? [name, 'relationships'] : [name];
}

async function readWrite(
  context: WritingContext,
  request: FastifyRequest,
  { entity, name }: LayoutParams,
) {
  const reader = await readLayoutReader(context, request, entity);
  requireAdministrator(reader.actor);
  const { model } = reader;
  if (!isCustomizable(model.definition)) {
    throw new Refusal(
      'forbidden',
      'access.denied',
      `The layouts of ${model.name} cannot be changed.`,
    );
  }
  return { reader, model, name: requireLayoutName(name) };
}

/** Layout sets have no layouts: teams and users with a set see the installation's layouts. */
function refuseSet(setId: unknown): void {
  if (setId === undefined || setId === null || setId === '') return;
  throw badLayout('Annals has no layouts for layout sets. Omit setId.');
}

async function save(
  { saveLayout }: WritingContext,
  reply: FastifyReply,
  { body, ...change }: Parameters<SaveLayout>[1] & { readonly body: unknown },
): Promise<FastifyReply> {
  const { consistencyToken, isReplay } = await saveLayout(reply.request, change);
  void reply.header('X-Consistency-Token', consistencyToken);
  if (isReplay) void reply.header('Idempotency-Replayed', 'true');
  return sendJson(reply, body);
}

const tag = 'Custom types and fields';
const anyLayout: Part = { type: ['array', 'object', 'boolean'] };
const errorsOfWrite = [
  ...written,
  'access.admin_only',
  'layout.invalid',
  'layout.unknown',
] as const;
const headers = ['Idempotency-Replayed', 'X-Consistency-Token'] as const;

const writeLayout = describeRoute({
  id: '{entity}_put_layout_{name}',
  tag: '{entity}',
  summary: 'Replace the layout {name} of {entity}',
  description: 'For administrators. The body is the layout itself.',
  parameters: ['Idempotency-Key'],
  body: { type: ['array', 'object'] },
  answer: anyLayout,
  headers,
  errors: errorsOfWrite,
  expand: {
    isFor: ({ definition }) => isCustomizable(definition),
    values: { name: describedLayouts },
  },
});

const readOriginal = describeRoute({
  id: 'Layout_getOriginal',
  tag,
  summary: 'Read a layout as stored or generated',
  description: 'For administrators.',
  parameters: [
    inQuery('scope', 'The entity type.', { schema: text, example: 'Account' }),
    inQuery('name', 'The name of the layout.', { schema: text, example: 'list' }),
    'X-Consistency-Token',
  ],
  answer: anyLayout,
  errors: [...reading, 'access.admin_only', 'entity.unknown', 'layout.invalid', 'layout.unknown'],
});

const resetLayout = describeRoute({
  id: 'Layout_resetToDefault',
  tag,
  summary: 'Reset a layout to the generated one',
  description: 'For administrators.',
  parameters: ['Idempotency-Key'],
  body: {
    ...objectOf({ scope: text, name: text }),
    examples: [{ scope: 'Account', name: 'list' }],
  },
  answer: anyLayout,
  headers,
  errors: errorsOfWrite,
});
