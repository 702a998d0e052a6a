import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeField } from '../../../shared/domain/field/definition/describe-field.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { requireObject, textIn } from '../../../shared/http/require-object.ts';
import type { SaveLayout } from '../../../shared/http/save-layout.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { resolveEntity } from '../../../shared/http/server/entity-segment.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { keyOfStep } from '../owner/hash-request.ts';
import { customEntityName, customFieldName } from './custom-prefix.ts';
import type { Definition } from './define-entities.ts';
import type { fieldKinds } from './define-fields.ts';
import { holderOf, type LinkKind, linkKinds } from './define-links.ts';
import { defineEntityCommand, grantCommand, layoutCommand } from './definition-commands.ts';
import {
  createField,
  defining,
  doNothing,
  readField,
  removeField,
  resetField,
  updateField,
} from './definition-schemas.ts';
import { accessTo, grantsIn } from './grant-access.ts';

const fieldPath = '/api/v1/Admin/fieldManager/:scope';
type FieldParams = { readonly scope: string; readonly name: string };

/**
 * Registers the routes for custom entity types, fields and links, for administrators (docs/reference/definitions.md).
 * Changes take effect with the next request.
 */
export function registerDefinitionRoutes(server: FastifyInstance, context: CommandContext): void {
  registerFields(server, context);
  registerTypes(server, context);
}

function registerFields(server: FastifyInstance, context: CommandContext): void {
  const { directory } = context;
  const field = (scope: string, name: string) => {
    const found = directory.entity(scope)?.fields.get(name);
    return found && describeField(found);
  };

  server.post<{ Params: FieldParams }>(fieldPath, createField, async (request, reply) => {
    const { scope } = request.params;
    const name = customFieldName(textIn(request.body, 'name'), scope, directory);
    return change('createField', { scope, name }, { request, reply });
  });

  server.get<{ Params: FieldParams }>(`${fieldPath}/:name`, readField, async (request, reply) => {
    requireAdministrator(await readActor(context, request));
    const { scope, name } = request.params;
    const found = field(scope, name);
    if (found === undefined)
      throw new Refusal('not_found', 'field.unknown', `Field '${printable(name)}' does not exist.`);
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
      handler: async (request, reply) => change('updateField', request.params, { request, reply }),
    });
  }

  server.delete<{ Params: FieldParams }>(
    `${fieldPath}/:name`,
    removeField,
    async (request, reply) => change('removeField', request.params, { request, reply }),
  );

  server.post('/api/v1/FieldManager/action/resetToDefault', resetField, async (request, reply) => {
    const scope = textIn(request.body, 'scope');
    const name = textIn(request.body, 'name');
    return change('resetField', { scope, name }, { request, reply });
  });

  async function change(
    kind: (typeof fieldKinds)[number],
    { scope, name }: FieldParams,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<FastifyReply> {
    const answer = await define(context, request, { kind, entityType: scope, name });
    const body = kind === 'removeField' ? true : { ...field(scope, name), name };
    return sendJson(setWriteHeaders(reply, [answer]), body);
  }
}

/** Registers the routes for entity types and their links. */
function registerTypes(server: FastifyInstance, context: CommandContext): void {
  const { createEntity } = defining;
  server.post('/api/v1/EntityManager/action/createEntity', createEntity, async (request, reply) => {
    const { name, written } = await createType(context, request);
    return sendJson(setWriteHeaders(reply, written), {
      name,
      access: accessTo(name, context.directory),
    });
  });

  for (const kind of ['updateEntity', 'removeEntity'] as const) {
    server.post(`/api/v1/EntityManager/action/${kind}`, defining[kind], async (request, reply) => {
      const entityType = textIn(request.body, 'name');
      const answer = await define(context, request, { kind, entityType });
      return sendJson(setWriteHeaders(reply, [answer]), true);
    });
  }

  for (const kind of linkKinds) {
    server.post(`/api/v1/EntityManager/action/${kind}`, defining[kind], async (request, reply) => {
      return sendJson(setWriteHeaders(reply, [await defineLink(context, request, kind)]), true);
    });
  }

  for (const action of ['rebuild', 'clearCache']) {
    // These actions do nothing: definitions take effect immediately, and every change clears the caches.
    server.post(`/api/v1/Admin/${action}`, doNothing(action), async (request, reply) => {
      requireAdministrator(await context.authenticate(request));
      return sendJson(reply, true);
    });
  }
}

/**
 * Creates an entity type, then grants access to it in roles. If the process crashes in between, too few users have
 * access, but never too many. Repeating the request with the same Idempotency-Key continues with the remaining roles.
 */
async function createType(context: CommandContext, request: FastifyRequest) {
  const entityType = customEntityName(textIn(request.body, 'name'), context.directory);
  const requested = { kind: 'createEntity', entityType } as const;
  const { command, body } = await readDefinition(context, request, requested);
  const grants = grantsIn(body['access'], entityType, context.directory);
  const written = [await decide(context, command, { ...requested, body })];
  const model = await resolveEntity(context, 'Role');
  for (const [id, grant] of grants) {
    const commandId = keyOfStep(command.commandId, id);
    const granting = { ...command, model, id, commandId, body: grant };
    written.push(await context.sender.send(grantCommand, granting));
  }
  return { name: entityType, written };
}

interface RequestedChange {
  readonly kind: Definition['kind'];
  readonly entityType: string;
  /** The field's name, if the path contains it. */
  readonly name?: string;
}

async function define(
  context: CommandContext,
  request: FastifyRequest,
  requested: RequestedChange,
): Promise<CommandAnswer> {
  const { kind, entityType, name } = requested;
  const { command, body: sent } = await readDefinition(context, request, requested);
  const body = name === undefined ? sent : { ...sent, name };
  return decide(context, command, { kind, entityType, body });
}

/**
 * Changes a link where it is stored. If the link is missing, an earlier attempt of this request may have removed it.
 */
async function defineLink(
  context: CommandContext,
  request: FastifyRequest,
  kind: LinkKind,
): Promise<CommandAnswer> {
  const { command, body } = await readDefinition(context, request, { kind });
  return decide(context, command, {
    kind,
    entityType: holderOf(context.directory, kind, body),
    body,
  });
}

/** Returns the command and the body of a request. The hash for the request's Idempotency-Key includes both. */
async function readDefinition(
  context: CommandContext,
  request: FastifyRequest,
  requested: Partial<RequestedChange>,
): Promise<{ readonly command: Command; readonly body: Definition['body'] }> {
  const sent = request.body ?? {};
  const command = await readCommand(context, request, {
    command: defineEntityCommand,
    body: { ...requested, body: sent },
    entity: entityDefinitionType,
  });
  requireAdministrator(command.actor);
  return { command, body: requireObject(sent) };
}

async function decide(
  context: CommandContext,
  command: Command,
  definition: Definition,
): Promise<CommandAnswer> {
  const { entityType: id } = definition;
  if (id === '') {
    throw new Refusal('invalid', 'field.invalid', 'The body must name an entity type.');
  }
  return context.sender.send(defineEntityCommand, { ...command, id, body: definition });
}

/** Stores a layout for the layout routes of the query service. */
export async function saveLayout(
  context: CommandContext,
  ...[request, { entityType: id, names, layout }]: Parameters<SaveLayout>
): Promise<CommandAnswer> {
  const body = { names, layout };
  const expected = { command: layoutCommand, body, id, entity: entityDefinitionType };
  const command = await readCommand(context, request, expected);
  requireAdministrator(command.actor);
  return context.sender.send(layoutCommand, { ...command, id, body });
}
