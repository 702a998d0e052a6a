import type { FastifyInstance, FastifyRequest } from 'fastify';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { Definition } from '../actions/define-entities.ts';
import { holderOf, type LinkKind } from '../actions/define-links.ts';
import type { RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

const fieldPath = '/api/v1/Admin/fieldManager/:scope';
type FieldParams = { readonly scope: string; readonly name: string };

/** Custom entity types, fields and links, for administrators (api-facts 8.10). They are there for the next request. */
export function registerDefinitionRoutes(server: FastifyInstance, deps: CommandRouteDeps): void {
  const { directory } = deps;
  const field = (scope: string, name: string) => directory.entity(scope)?.fields.get(name);

  server.post<{ Params: FieldParams }>(fieldPath, async (request, reply) => {
    const { scope } = request.params;
    const body = await define(deps, request, { kind: 'createField', entityType: scope });
    return sendJson(reply, { ...field(scope, String(body['name'])), name: body['name'] });
  });

  server.get<{ Params: FieldParams }>(`${fieldPath}/:name`, async (request, reply) => {
    const actor = await deps.authenticate(request);
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
        await define(deps, request, { kind: 'updateField', entityType: scope, name });
        return sendJson(reply, { ...field(scope, name), name });
      },
    });
  }

  server.delete<{ Params: FieldParams }>(`${fieldPath}/:name`, async (request, reply) => {
    const { scope, name } = request.params;
    await define(deps, request, { kind: 'removeField', entityType: scope, name });
    return sendJson(reply, true);
  });

  server.post('/api/v1/FieldManager/action/resetToDefault', async (request, reply) => {
    const scope = textIn(request.body, 'scope');
    const name = textIn(request.body, 'name');
    await define(deps, request, { kind: 'resetField', entityType: scope, name });
    return sendJson(reply, { ...field(scope, name), name });
  });

  for (const kind of ['createEntity', 'updateEntity', 'removeEntity'] as const) {
    server.post(`/api/v1/EntityManager/action/${kind}`, async (request, reply) => {
      const entityType = textIn(request.body, 'name');
      await define(deps, request, { kind, entityType });
      return sendJson(reply, kind === 'createEntity' ? { name: entityType } : true);
    });
  }

  for (const kind of ['createLink', 'updateLink', 'removeLink'] as const) {
    server.post(`/api/v1/EntityManager/action/${kind}`, async (request, reply) => {
      await defineLink(deps, request, kind);
      return sendJson(reply, true);
    });
  }

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
}

/** Answers the body of the request. */
async function define(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  asked: Asked,
): Promise<Readonly<Record<string, unknown>>> {
  const { kind, entityType, name } = asked;
  const { command, body: sent } = await readDefinition(deps, request, asked);
  const body = name === undefined ? sent : { ...sent, name };
  await decide(deps, command, { kind, entityType, body });
  return body;
}

/** Where a link stands is known by the definitions; one that is gone may have been removed by this very request. */
async function defineLink(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  kind: LinkKind,
): Promise<void> {
  const { command, body } = await readDefinition(deps, request, { kind });
  await decide(deps, command, { kind, entityType: holderOf(deps.directory, kind, body), body });
}

/** Everything that says what is asked for is what an Idempotency-Key stands for. */
async function readDefinition(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  asked: Partial<Asked>,
): Promise<{ readonly command: RoutedCommand; readonly body: Definition['body'] }> {
  const sent = request.body ?? {};
  const command = await readCommand(deps, request, {
    action: 'define',
    body: { ...asked, body: sent },
    entity: entityDefinitionType,
  });
  if (command.actor.type !== 'admin') throw adminsOnly();
  return { command, body: requireObject(sent) };
}

async function decide(
  deps: CommandRouteDeps,
  command: RoutedCommand,
  definition: Definition,
): Promise<void> {
  const { entityType: id } = definition;
  if (id === '') {
    throw new Refusal('invalid', 'field.invalid', 'The body names no entity type.');
  }
  await deps.route({ ...command, id, body: { ...definition } });
}

function textIn(body: unknown, name: string): string {
  return String(Object(body)[name] ?? '');
}

function adminsOnly(): Refusal {
  return new Refusal('forbidden', 'access.admin_only', 'Only administrators may do this.');
}
