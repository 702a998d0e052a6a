import type { FastifyInstance, FastifyRequest } from 'fastify';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { Definition } from '../actions/define-entities.ts';
import type { RoutedAnswer } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';
import { tellWritten } from './send-written.ts';

const fieldPath = '/api/v1/Admin/fieldManager/:scope';
type FieldParams = { readonly scope: string; readonly name: string };

/** Custom entity types, fields and links, for administrators (api-facts 8.10). They are there for the next request. */
export function registerDefinitionRoutes(server: FastifyInstance, deps: CommandRouteDeps): void {
  const { directory } = deps;
  const field = (scope: string, name: string) => directory.entity(scope)?.fields.get(name);

  server.post<{ Params: FieldParams }>(fieldPath, async (request, reply) => {
    const { scope } = request.params;
    const { body, answer } = await define(deps, request, {
      kind: 'createField',
      entityType: scope,
    });
    const { name } = body;
    return sendJson(tellWritten(reply, [answer]), { ...field(scope, String(name)), name });
  });

  server.get<{ Params: FieldParams }>(`${fieldPath}/:name`, async (request, reply) => {
    const actor = await readActor(deps, request);
    if (actor.type !== 'admin') throw adminsOnly();
    const { scope, name } = request.params;
    const found = field(scope, name);
    if (found === undefined)
      throw new Refusal('not_found', 'field.unknown', 'There is no such field.');
    return sendJson(reply, { ...found, name });
  });

  for (const method of ['PUT', 'PATCH'] as const) {
    server.route<{ Params: FieldParams }>({
      method,
      url: `${fieldPath}/:name`,
      handler: async (request, reply) => {
        const { scope, name } = request.params;
        const asked = { kind: 'updateField', entityType: scope, name } as const;
        const { answer } = await define(deps, request, asked);
        return sendJson(tellWritten(reply, [answer]), { ...field(scope, name), name });
      },
    });
  }

  server.delete<{ Params: FieldParams }>(`${fieldPath}/:name`, async (request, reply) => {
    const { scope, name } = request.params;
    const asked = { kind: 'removeField', entityType: scope, name } as const;
    const { answer } = await define(deps, request, asked);
    return sendJson(tellWritten(reply, [answer]), true);
  });

  for (const kind of ['createEntity', 'updateEntity', 'removeEntity'] as const) {
    server.post(`/api/v1/EntityManager/action/${kind}`, async (request, reply) => {
      const entityType = String(Object(request.body)['name'] ?? '');
      const { answer } = await define(deps, request, { kind, entityType });
      return sendJson(
        tellWritten(reply, [answer]),
        kind === 'createEntity' ? { name: entityType } : true,
      );
    });
  }

  server.post('/api/v1/EntityManager/action/createLink', async (request, reply) => {
    return sendJson(tellWritten(reply, await createLink(deps, request)), true);
  });

  for (const action of ['rebuild', 'clearCache']) {
    // There is nothing to be done: definitions take effect by themselves, and nothing is cached beyond a change.
    server.post(`/api/v1/Admin/${action}`, async (request, reply) => {
      const actor = await deps.authenticate(request);
      if (actor.type !== 'admin') throw adminsOnly();
      return sendJson(reply, true);
    });
  }
}

interface Asked {
  readonly kind: Definition['kind'];
  readonly entityType: string;
  /** Of a field that the path names. */
  readonly name?: string;
  /** Instead of that of the request: the other half of what it asks for. */
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Defined {
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: RoutedAnswer;
}

async function define(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  { kind, entityType, name, body: half }: Asked,
): Promise<Defined> {
  const command = await readCommand(deps, request, {
    action: 'define',
    body: half ?? request.body ?? {},
    entity: entityDefinitionType,
    id: entityType,
  });
  const { actor, commandId } = command;
  if (actor.type !== 'admin') throw adminsOnly();
  if (entityType === '') throw new Refusal('invalid', 'field.invalid', "'name' is missing.");
  const body = name === undefined ? command.body : { ...command.body, name };
  const definition: Definition = { kind, entityType, body };
  const answer = await deps.route({
    ...command,
    body: { ...definition },
    commandId:
      commandId === null || half === undefined ? commandId : `${commandId.slice(0, 240)}/foreign`,
  });
  return { body, answer };
}

/** Two definitions change, each by itself: where the second fails, the link has no name on the other side. */
async function createLink(
  deps: CommandRouteDeps,
  request: FastifyRequest,
): Promise<readonly RoutedAnswer[]> {
  const { entity, entityForeign, link, linkForeign, linkType } = Object(request.body ?? {});
  const here = await define(deps, request, {
    kind: 'createLink',
    entityType: String(entity ?? ''),
  });
  const isHeldHere = linkType !== 'oneToMany';
  const body = {
    entityForeign: entity,
    link: linkForeign,
    linkForeign: link,
    linkType: isHeldHere ? linkType : 'manyToOne',
    isForeign: isHeldHere,
  };
  const there = await define(deps, request, {
    kind: 'createLink',
    entityType: String(entityForeign ?? ''),
    body,
  });
  return [here.answer, there.answer];
}

function adminsOnly(): Refusal {
  return new Refusal('forbidden', 'access.admin_only', 'Only administrators may do this.');
}
