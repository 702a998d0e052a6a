import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayEditField } from '../../../shared/domain/access/actor.ts';
import { hasRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { describeRoute, isWritable } from '../../../shared/http/describe/describe-route.ts';
import { selecting, written } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { id, searchInBody } from '../../../shared/http/describe/schemas.ts';
import type { ErrorCode } from '../../../shared/http/errors/error-codes.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { requirePossibleId } from '../owner/append.ts';
import type { Acting, Command, CommandAnswer } from '../owner/command.ts';
import { type CommandDefinition, defineCommand } from '../owner/define-command.ts';
import { hashRequest, keyOfStep } from '../owner/hash-request.ts';
import { asFlag, asListOf, asObject, asOneOf, asText, optional } from '../owner/read-body.ts';
import { noLinkAccess } from './input/link-refusals.ts';
import { requireConditions } from './input/require-conditions.ts';
import type { LinkChange } from './links/change-links.ts';

const readLinkChange = asObject<LinkChange>({
  field: asText,
  ids: asListOf(asText),
  entityType: asText,
  side: optional(asOneOf(['own', 'foreign'])),
  keepsLinked: optional(asFlag),
  isNew: optional(asFlag),
  columnsOf: optional(asText),
});

export const linkCommand = linkingCommand('link');
export const unlinkCommand = linkingCommand('unlink');

function linkingCommand<const Verb extends 'link' | 'unlink'>(
  verb: Verb,
): CommandDefinition<Verb, LinkChange> {
  return defineCommand({
    name: verb,
    readBody: readLinkChange,
    execute: (context, request) =>
      context.recordsOf(request.model).changeLinks(verb, request, context),
  });
}

type LinkToMany = EntityLink & { readonly entityType: string };

/** A request to link one record with given ids or with all results of a search, or to unlink them. */
export interface LinkingRequest {
  readonly command: Command;
  readonly link: LinkToMany;
  /** Id of the one record. */
  readonly id: string;
}

interface LinkParams {
  readonly entity: string;
  readonly id: string;
  readonly link: string;
}

const MAX_IDS = 1_000;

/**
 * Registers the routes for linking and unlinking: `POST` and `DELETE /{Entity}/{id}/{link}` with `{id}` or `{ids}`, or
 * `POST` with `massRelate` and a search.
 */
export function registerLinkRoutes(server: FastifyInstance, context: CommandContext): void {
  for (const [method, linking, schema] of [
    ['POST', linkCommand, linkSchema],
    ['DELETE', unlinkCommand, unlinkSchema],
  ] as const) {
    server.route<{ Params: LinkParams }>({
      method,
      url: '/api/v1/:entity/:id/:link',
      ...schema,
      handler: async (request, reply) => changeLinks(context, linking, { request, reply }),
    });
  }
}

interface Exchange {
  readonly request: FastifyRequest<{ Params: LinkParams }>;
  readonly reply: FastifyReply;
}

async function changeLinks(
  context: CommandContext,
  linking: typeof linkCommand | typeof unlinkCommand,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { id } = request.params;
  const read = await readCommand(context, request, { command: linking, body: request.body ?? {} });
  const link = linkToMany(context, read, request.params.link);
  const command = { ...read, commandHash: hashWith({ command: read, link, id }, linking.name) };
  const requested = { command, link, id };
  if (linking === linkCommand && command.body['massRelate'] === true) {
    const { written, isLinked } = await context.linkFound(requested);
    return sendJson(setWriteHeaders(reply, written), isLinked);
  }
  const ids = readIdsToLink(command.body);
  if (ids.length === 0) requireChangeable(command, link);
  const answers: CommandAnswer[] = [];
  for (const one of ids.length === 0 ? [] : commandsFor(context, requested, ids)) {
    const plan = async () => {
      requireChangeable(command, link);
      // Checked before the first record is changed.
      if (answers.length === 0) await requireNamedMatch(context, requested);
      return one.body;
    };
    answers.push(await context.sender.sendPlanned(linking, { ...one, plan }));
  }
  return sendJson(setWriteHeaders(reply, answers), ids.length > 0);
}

/** Includes the path in the hash of the request, so that an Idempotency-Key cannot be reused for another path. */
function hashWith({ command, link, id }: LinkingRequest, name: string): string | null {
  const { commandId, model, body } = command;
  if (commandId === null) return null;
  const sent = { ...body, link: link.name };
  return hashRequest({ command: name, entityType: model.name, id, body: sent });
}

/**
 * Checks If-Match against the record in the path, even if the link is stored in other records and the record in the
 * path does not change.
 */
async function requireNamedMatch(
  context: CommandContext,
  { command, link, id }: LinkingRequest,
): Promise<void> {
  const { actor, model, conditions, deadline } = command;
  if (link.heldBy === 'self' || conditions.ifMatch === undefined) return;
  await context.untilCaughtUp(deadline);
  const current = live(await context.readState(model, id), id);
  if (!hasRecordAccess(actor, 'edit', { model, id, values: current.values })) {
    throw noLinkAccess('own', model.name);
  }
  requireConditions(current, { actor, model, conditions });
}

function linkToMany({ directory }: CommandContext, { model }: Command, name: string): LinkToMany {
  const link = linksOf(model, directory.entity).get(name);
  if (link === undefined) throw new Refusal('not_found', 'link.unknown', 'Link does not exist.');
  const { entityType } = link;
  if (entityType === undefined || isToOne(link)) {
    const only = 'Only manyMany, hasMany & hasChildren relations are allowed.';
    throw new Refusal('forbidden', 'link.to_one', only);
  }
  return { ...link, entityType };
}

export function requireChangeable({ actor, model }: Acting, link: EntityLink): void {
  const isClosed = link.heldBy === 'self' && !mayEditField(actor, model, link.field);
  if (!isClosed && !isFixed(model, link)) return;
  throw new Refusal('forbidden', 'access.denied', 'No edit access.');
}

export function readIdsToLink(body: Readonly<Record<string, unknown>>): readonly string[] {
  if (body['massRelate'] === true) {
    throw new Refusal('forbidden', 'link.mass', 'Mass link is not allowed.');
  }
  const { id } = body;
  const ids = body['ids'] ?? (id == null ? [] : [id]);
  const isList = Array.isArray(ids) && ids.every((one) => typeof one === 'string' && one !== '');
  if (!isList || ids.length > MAX_IDS) {
    throw new Refusal('invalid', 'link.ids', `ids must be a list of at most ${MAX_IDS} ids.`);
  }
  const different = new Set(ids.map(String));
  different.forEach(requirePossibleId);
  return [...different];
}

/**
 * Returns one command if the record itself stores the ids, otherwise one for each record that stores this record's id.
 */
function commandsFor(
  { directory }: CommandContext,
  { command, link, id }: LinkingRequest,
  ids: readonly string[],
): readonly Command<LinkChange>[] {
  const { field, entityType, keepsLinked } = link;
  if (link.heldBy === 'self') return [{ ...command, id, body: { field, ids, entityType } }];
  const model = directory.entity(entityType);
  if (model === undefined) return [];
  return ids.map((one) => ({
    ...command,
    model,
    id: one,
    commandId: keyOfStep(command.commandId, one),
    conditions: {},
    body: { field, ids: [id], entityType: command.model.name, side: 'foreign', keepsLinked },
  }));
}

function isToOne({ type }: EntityLink): boolean {
  return type === 'belongsTo' || type === 'belongsToParent' || type === 'hasOne';
}

/**
 * Returns true if the entity type stores the link in a read-only field, or in a shipped field that can only be set on
 * creation.
 */
function isFixed({ fields }: EntityModel, { heldBy, field }: EntityLink): boolean {
  const { readOnly, readOnlyAfterCreate, isCustom } = fields.get(field) ?? {};
  const isSetOnce = readOnlyAfterCreate === true && isCustom !== true;
  return heldBy === 'self' && (readOnly === true || isSetOnce);
}

const errors = [
  ...written,
  'link.forbidden',
  'link.ids',
  'link.mass',
  'link.no_access',
  'link.non_existing',
  'link.to_one',
  'link.unknown',
  'record.invalid',
  'record.not_found',
  'record.version_differs',
] as const;

/** The ids of records to link or unlink. */
const linkedIds: Part = {
  type: 'object',
  properties: {
    id,
    ids: { type: 'array', items: id, maxItems: 1_000 },
    massRelate: {
      type: 'boolean',
      description: 'For links of target lists: link all records of a search instead.',
    },
    ...searchInBody,
  },
  examples: [{ ids: ['6920300f5a1b2c3d4'] }],
};

const linkSchema = describe('link', 'Link', [...errors, ...selecting, 'link.already_linked']);
const unlinkSchema = describe('unlink', 'Unlink', [...errors, 'link.required']);

function describe(name: string, verb: string, codes: readonly ErrorCode[]) {
  return describeRoute({
    id: `${name}{entity}_{link}`,
    tag: '{entity}',
    summary: `${verb} records by {link} of a record of {entity}`,
    parameters: ['id', 'Idempotency-Key', 'If-Match'],
    body: refer('schemas', 'linkedIds'),
    isBodyOptional: true,
    schemas: { linkedIds },
    answer: {
      type: 'boolean',
      description: 'False if the request has no ids, or no record was found.',
    },
    headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
    errors: codes,
    expand: {
      // In the OpenAPI document, paths of files would clash with paths of their links.
      isFor: (model) => isWritable(model) && model.definition.isFile !== true,
      isForLink: (model, link) => !isToOne(link) && !isFixed(model, link),
    },
  });
}
