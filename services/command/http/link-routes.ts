import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayEditField } from '../../../shared/domain/access/actor.ts';
import { hasRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { resultOf } from '../actions/mass-action.ts';
import { type MassLinkDeps, maxIdsOf, planMassLink } from '../actions/mass-link.ts';
import { tooManyRecords } from '../actions/plan-mass-action.ts';
import { requirePossibleId } from '../commands/append.ts';
import { noLinkAccess } from '../commands/link-refusals.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import type { UntilCaughtUp } from '../forward/until-caught-up.ts';
import { type CarryOutDeps, decidePlanned, untilEnded } from './carry-out-mass-action.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';
import { hashRequest } from './read-write-headers.ts';
import { tellWritten } from './send-written.ts';

export type LinkRouteDeps = CommandRouteDeps &
  CarryOutDeps &
  MassLinkDeps & { readonly untilCaughtUp: UntilCaughtUp };

interface LinkParams {
  readonly entity: string;
  readonly id: string;
  readonly link: string;
}

const toOne: ReadonlySet<EntityLink['type']> = new Set(['belongsTo', 'belongsToParent', 'hasOne']);
const maxIds = 1_000;

/**
 * Linking and unlinking (api-facts 5.2): `POST` and `DELETE /{Entity}/{id}/{link}` with `{id}` or `{ids}`, or `POST` with
 * `massRelate` and a search.
 */
export function registerLinkRoutes(server: FastifyInstance, deps: LinkRouteDeps): void {
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

interface Exchange {
  readonly request: FastifyRequest<{ Params: LinkParams }>;
  readonly reply: FastifyReply;
}

async function changeLinks(
  deps: LinkRouteDeps,
  action: 'link' | 'unlink',
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { id } = request.params;
  const command = await readCommand(deps, request, { action, body: request.body ?? {} });
  const link = changeableLink(deps, command, request.params.link);
  if (action === 'link' && command.body['massRelate'] === true) {
    return linkFound(deps, { command, link, id }, reply);
  }
  const ids = readIds(command.body);
  if (ids.length > 0 && link.heldBy === 'other') await requireNamedMatch(deps, command, id);
  const answers: RoutedAnswer[] = [];
  for (const one of ids.length === 0 ? [] : commandsFor(deps, command, { link, ids, id })) {
    answers.push(await deps.route({ ...one, action }));
  }
  return sendJson(tellWritten(reply, answers), ids.length > 0);
}

/** If-Match is about the record that the path names, even where others hold the link: that one does not change then. */
async function requireNamedMatch(
  deps: LinkRouteDeps,
  { actor, model, conditions, deadline }: RoutedCommand,
  id: string,
): Promise<void> {
  if (conditions.ifMatch === undefined) return;
  await deps.untilCaughtUp(deadline);
  const current = live(await deps.readState(model, id), id);
  if (!hasRecordAccess(actor, 'edit', { model, id, values: current.values })) {
    throw noLinkAccess('own', model.name);
  }
  requireMatch(current, conditions);
}

interface LinkingFound {
  readonly command: RoutedCommand;
  readonly link: EntityLink & { readonly entityType: string };
  readonly id: string;
}

/** Links all records of a search: in one change of the record that holds the ids, or one of each record found. */
async function linkFound(
  deps: LinkRouteDeps,
  { command, link, id }: LinkingFound,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { model, body } = command;
  const planned = await planMassLink({ ...command, link, id }, deps);
  const { ids } = planned;
  const asked = { action: 'mass-action', entityType: model.name, id } as const;
  const commandHash =
    command.commandHash && hashRequest({ ...asked, body: { ...body, link: link.name } });
  if (link.heldBy === 'self') {
    if (ids.length > maxIdsOf(link, deps)) throw tooManyRecords(maxIdsOf(link, deps));
    if (ids.length === 0) return sendJson(reply, false);
    const held = { field: link.field, ids, entityType: link.entityType };
    const linking = { ...command, action: 'link', id, body: held, commandHash } as const;
    return sendJson(tellWritten(reply, [await deps.route(linking)]), true);
  }
  const decided = await decidePlanned({ ...command, commandHash }, planned, deps);
  const { count } = resultOf(await untilEnded(decided, command, deps));
  return sendJson(tellWritten(reply, [decided]), count > 0);
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
  const { id } = body;
  const ids = body['ids'] ?? (id == null ? [] : [id]);
  const isList = Array.isArray(ids) && ids.every((one) => typeof one === 'string' && one !== '');
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
  const { field, entityType, keepsLinked } = link;
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
    conditions: {},
    body: { field, ids: [id], entityType: command.model.name, side: 'foreign', keepsLinked },
  }));
}
