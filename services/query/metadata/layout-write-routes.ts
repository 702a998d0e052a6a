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
import { inQuery, type Part } from '../../../shared/http/describe/part.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { requireObject, textIn } from '../../../shared/http/require-object.ts';
import type { SaveLayout } from '../../../shared/http/save-layout.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { last, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import {
  describedLayouts,
  type LayoutDeps,
  type LayoutParams,
  readLayoutReader,
} from './layout-routes.ts';
import { defaultLayout, layoutOf } from './layouts.ts';

export interface LayoutWriteDeps extends LayoutDeps {
  readonly saveLayout: SaveLayout;
}

/** Registers writes of layouts, which administrators store in place of generated ones (docs/reference/api.md#screens). */
export function registerLayoutWrites(server: FastifyInstance, deps: LayoutWriteDeps): void {
  server.put<{ Params: LayoutParams }>(
    '/api/v1/:entity/layout/:name',
    writeLayout,
    async (request, reply) => {
      const { model, name } = await readWrite(deps, request, request.params);
      const layout = readLayout(request.body);
      const change = { entityType: model.name, names: [name], layout };
      return save({ deps, request, reply }, { change, body: layout });
    },
  );

  server.get<QueryRoute>(
    '/api/v1/Layout/action/getOriginal',
    readOriginal,
    async (request, reply) => {
      const parameters = readParameters(request.query);
      refuseSet(last(parameters, 'setId'));
      const entity = last(parameters, 'scope') ?? '';
      const reader = await readLayoutReader(deps, request, entity);
      requireAdministrator(reader.actor);
      const name = last(parameters, 'name') ?? '';
      return sendJson(reply, layoutOf(reader, { name, directory: deps.directory }));
    },
  );

  server.post('/api/v1/Layout/action/resetToDefault', resetLayout, async (request, reply) => {
    const sent = requireObject(request.body);
    refuseSet(sent['setId']);
    const place = { entity: textIn(sent, 'scope'), name: textIn(sent, 'name') };
    const { model, name, reader } = await readWrite(deps, request, place);
    const body = defaultLayout(reader, name);
    const names = resetWith(name);
    const stored = layoutsIn(deps.directory.record(entityDefinitionType, model.name));
    if (names.every((one) => stored[one] === undefined)) return sendJson(reply, body);
    const change = { entityType: model.name, names, layout: null };
    return save({ deps, request, reply }, { change, body });
  });
}

/** Panels below a record are generated from its relationships. */
function resetWith(name: LayoutName): readonly LayoutName[] {
  return name === 'bottomPanelsDetail' ? [name, 'relationships'] : [name];
}

async function readWrite(
  deps: LayoutWriteDeps,
  request: FastifyRequest,
  { entity, name }: LayoutParams,
) {
  const reader = await readLayoutReader(deps, request, entity);
  requireAdministrator(reader.actor);
  const { model } = reader;
  if (!isCustomizable(model.definition)) {
    throw new Refusal('forbidden', 'access.denied', `Layouts of ${model.name} are fixed.`);
  }
  return { reader, model, name: requireLayoutName(name) };
}

/** Layout sets have no layouts: teams and users that are linked with a set see the layouts of the installation. */
function refuseSet(setId: unknown): void {
  if (setId === undefined || setId === null || setId === '') return;
  throw badLayout('Annals has no layouts for layout sets. Omit setId.');
}

interface Exchange {
  readonly deps: LayoutWriteDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function save(
  { deps, request, reply }: Exchange,
  { change, body }: { readonly change: Parameters<SaveLayout>[1]; readonly body: unknown },
): Promise<FastifyReply> {
  const { consistencyToken, isReplay } = await deps.saveLayout(request, change);
  void reply.header('X-Consistency-Token', consistencyToken);
  if (isReplay) void reply.header('Idempotency-Replayed', 'true');
  return sendJson(reply, body);
}

const tag = 'Custom types and fields';
const anyLayout: Part = { type: ['array', 'object', 'boolean'] };
const errors = [...written, 'access.admin_only', 'layout.invalid', 'layout.unknown'] as const;
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
  errors,
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
  errors,
});
