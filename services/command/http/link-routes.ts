import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayEditField } from '../../../shared/domain/access/actor.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { joinConsistencyTokens } from '../../../shared/http/consistency-token.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { requirePossibleId } from '../commands/append.ts';
import type { RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

interface LinkParams {
  readonly entity: string;
  readonly id: string;
  readonly link: string;
}

const toOne: ReadonlySet<EntityLink['type']> = new Set(['belongsTo', 'belongsToParent', 'hasOne']);
const maxIds = 1_000;

/** Linking and unlinking (api-facts 5.2): `POST` and `DELETE /{Entity}/{id}/{link}` with `{id}` or `{ids}`. */
export function registerLinkRoutes(server: FastifyInstance, deps: CommandRouteDeps): void {
  for (const [method, action] of [
    ['POST', 'link'],
    ['DELETE', 'unlink'],
  ] as const) {
    server.route<{ Params: LinkParams }>({
      method,
      url: '/api/v1/:entity/:id/:link',
      handler: async (request, reply) => changeLinks(deps, action, { request, reply }),
    });
  }
}

async function changeLinks(
  deps: CommandRouteDeps,
  action: 'link' | 'unlink',
  {
    request,
    reply,
  }: { readonly request: FastifyRequest<{ Params: LinkParams }>; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const command = await readCommand(deps, request, { action, body: request.body ?? {} });
  const link = changeableLink(deps, command, request.params.link);
  const ids = readIds(command.body);
  const tokens: string[] = [];
  for (const one of ids.length === 0
    ? []
    : commandsFor(deps, command, { link, ids, id: request.params.id })) {
    tokens.push((await deps.route({ ...one, action })).consistencyToken);
  }
  if (tokens.length > 0) void reply.header('X-Consistency-Token', joinConsistencyTokens(tokens));
  return sendJson(reply, ids.length > 0);
}

function changeableLink(
  { directory }: CommandRouteDeps,
  { actor, model }: RoutedCommand,
  name: string,
): EntityLink & { readonly entityType: string } {
  const link = linksOf(model, directory.entity).get(name);
  const field = link?.heldBy === 'self' ? model.fields.get(link.field) : undefined;
  if (link === undefined) throw new Refusal('not_found', 'link.unknown', 'Link does not exist.');
  const { entityType, type } = link;
  if (entityType === undefined || toOne.has(type)) {
    const only = 'Only manyMany, hasMany & hasChildren relations are allowed.';
    throw new Refusal('forbidden', 'link.to_one', only);
  }
  if (field?.readOnly === true || (field !== undefined && !mayEditField(actor, model, name))) {
    throw new Refusal('forbidden', 'access.denied', 'No edit access.');
  }
  return { ...link, entityType };
}

export function readIds(body: Readonly<Record<string, unknown>>): readonly string[] {
  if (body['massRelate'] === true) {
    throw new Refusal('forbidden', 'link.mass', 'Mass link is not allowed.');
  }
  const ids = body['ids'] ?? (body['id'] === undefined ? [] : [body['id']]);
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string' && id !== '');
  if (!isList || ids.length > maxIds) {
    throw new Refusal('invalid', 'link.ids', `ids has to be a list of at most ${maxIds} ids.`);
  }
  const different = new Set(ids.map(String));
  different.forEach(requirePossibleId);
  return [...different];
}

interface Linking {
  readonly link: EntityLink & { readonly entityType: string };
  readonly ids: readonly string[];
  readonly id: string;
}

/** One command where the record itself holds the ids; otherwise one for each record that holds this one's. */
function commandsFor(
  { directory }: CommandRouteDeps,
  command: RoutedCommand,
  { link, ids, id }: Linking,
): readonly Omit<RoutedCommand, 'action'>[] {
  const { field, entityType } = link;
  if (link.heldBy === 'self') return [{ ...command, id, body: { field, ids, entityType } }];
  const model = directory.entity(entityType);
  if (model === undefined) return [];
  const { commandId } = command;
  return ids.map((one) => ({
    ...command,
    model,
    id: one,
    // A key of the request stands for several commands here, each of which has to be found again by itself.
    commandId: commandId === null ? null : `${commandId.slice(0, 200)}/${one}`,
    body: { field, ids: [id], entityType: command.model.name },
  }));
}
