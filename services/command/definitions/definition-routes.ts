import type { FastifyInstance, FastifyRequest } from 'fastify';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeField } from '../../../shared/domain/field/definition/describe-field.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { requireObject, textIn } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { type CommandRouteDeps, readCommand } from '../http/read-command.ts';
import { tellWritten } from '../http/send-written.ts';
import type { RoutedAnswer, RoutedCommand } from '../routing/route-commands.ts';
import type { Definition } from './define-entities.ts';
import { holderOf, type LinkKind, linkKinds } from './define-links.ts';
import { defineEntityAction } from './definition-actions.ts';
import {
  createField,
  defining,
  doNothing,
  readField,
  removeField,
  resetField,
  updateField,
} from './definition-schemas.ts';

const fieldPath = '/api/v1/Admin/fieldManager/:scope';
type FieldParams = { readonly scope: string; readonly name: string };

/**
 * Custom entity types, fields and links, for administrators (docs/reference/definitions.md). They hold from the next
 * request on.
 */
export function registerDefinitionRoutes(server: FastifyInstance, deps: CommandRouteDeps): void {
  registerFields(server, deps);
  registerTypes(server, deps);
}

function registerFields(server: FastifyInstance, deps: CommandRouteDeps): void {
  const { directory } = deps;
  const field = (scope: string, name: string) => {
    const found = directory.entity(scope)?.fields.get(name);
    return found && describeField(found);
  };

  server.post<{ Params: FieldParams }>(fieldPath, createField, async (request, reply) => {
    const { scope } = request.params;
    const { body, answer } = await define(deps, request, {
      kind: 'createField',
      entityType: scope,
    });
    const name = textIn(body, 'name');
    return sendJson(tellWritten(reply, [answer]), { ...field(scope, name), name });
  });

  server.get<{ Params: FieldParams }>(`${fieldPath}/:name`, readField, async (request, reply) => {
    const actor = await readActor(deps, request);
    if (actor.type !== 'admin') throw adminsOnly();
    const { scope, name } = request.params;
    const found = field(scope, name);
    if (found === undefined)
      throw new Refusal('not_found', 'field.unknown', 'There is no such field.');
    return sendJson(reply, { ...found, name });
  });

  for (const [method, schema] of [
    ['PUT', updateField('putField')],
    ['PATCH', updateField('updateField')],
  ] as const) {
    server.route<{ Params: FieldParams }>({
      method,
      url: `${fieldPath}/:name`,
      ...schema,
      handler: async (request, reply) => {
        const { scope, name } = request.params;
        const asked = { kind: 'updateField', entityType: scope, name } as const;
        const { answer } = await define(deps, request, asked);
        return sendJson(tellWritten(reply, [answer]), { ...field(scope, name), name });
      },
    });
  }

  server.delete<{ Params: FieldParams }>(
    `${fieldPath}/:name`,
    removeField,
    async (request, reply) => {
      const { scope, name } = request.params;
      const asked = { kind: 'removeField', entityType: scope, name } as const;
      const { answer } = await define(deps, request, asked);
      return sendJson(tellWritten(reply, [answer]), true);
    },
  );

  server.post('/api/v1/FieldManager/action/resetToDefault', resetField, async (request, reply) => {
    const scope = textIn(request.body, 'scope');
    const name = textIn(request.body, 'name');
    const asked = { kind: 'resetField', entityType: scope, name } as const;
    const { answer } = await define(deps, request, asked);
    return sendJson(tellWritten(reply, [answer]), { ...field(scope, name), name });
  });
}

/** Entity types and their links. */
function registerTypes(server: FastifyInstance, deps: CommandRouteDeps): void {
  for (const kind of ['createEntity', 'updateEntity', 'removeEntity'] as const) {
    server.post(`/api/v1/EntityManager/action/${kind}`, defining[kind], async (request, reply) => {
      const entityType = textIn(request.body, 'name');
      const { answer } = await define(deps, request, { kind, entityType });
      const body = kind === 'createEntity' ? { name: entityType } : true;
      return sendJson(tellWritten(reply, [answer]), body);
    });
  }

  for (const kind of linkKinds) {
    server.post(`/api/v1/EntityManager/action/${kind}`, defining[kind], async (request, reply) => {
      return sendJson(tellWritten(reply, [await defineLink(deps, request, kind)]), true);
    });
  }

  for (const action of ['rebuild', 'clearCache']) {
    // There is nothing to be done: definitions take effect by themselves, and nothing is cached beyond a change.
    server.post(`/api/v1/Admin/${action}`, doNothing(action), async (request, reply) => {
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

interface Defined {
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: RoutedAnswer;
}

async function define(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  asked: Asked,
): Promise<Defined> {
  const { kind, entityType, name } = asked;
  const { command, body: sent } = await readDefinition(deps, request, asked);
  const body = name === undefined ? sent : { ...sent, name };
  return { body, answer: await decide(deps, command, { kind, entityType, body }) };
}

/** Where a link stands is known by the definitions; one that is gone may have been removed by this very request. */
async function defineLink(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  kind: LinkKind,
): Promise<RoutedAnswer> {
  const { command, body } = await readDefinition(deps, request, { kind });
  return decide(deps, command, { kind, entityType: holderOf(deps.directory, kind, body), body });
}

/** Everything that says what is asked for is what an Idempotency-Key stands for. */
async function readDefinition(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  asked: Partial<Asked>,
): Promise<{ readonly command: RoutedCommand; readonly body: Definition['body'] }> {
  const sent = request.body ?? {};
  const command = await readCommand(deps, request, {
    action: defineEntityAction,
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
): Promise<RoutedAnswer> {
  const { entityType: id } = definition;
  if (id === '') {
    throw new Refusal('invalid', 'field.invalid', 'The body names no entity type.');
  }
  return deps.route(defineEntityAction, { ...command, id, body: definition });
}

function adminsOnly(): Refusal {
  return new Refusal('forbidden', 'access.admin_only', 'Only administrators may do this.');
}
