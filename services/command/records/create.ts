/**
 * Creates a record.
 *
 * The receiving instance checks the records that will store a link to the new one, and sends the command to an owner.
 * The owner checks access, input, links and duplicates, then appends the decision to the log. Once reads see the new
 * record, the receiving instance links the other records with it.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { loginUserType } from '../../../shared/domain/login/auth-token.ts';
import { decideCreate } from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyValues } from '../../../shared/domain/record/to-record-body.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import {
  describeRoute,
  isWritable,
  noContent,
} from '../../../shared/http/describe/describe-route.ts';
import {
  givenValues,
  ofUsers,
  ofWebhooks,
  written,
} from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import type { CommandContext } from '../context.ts';
import { checkAttributes } from '../http/check-attributes.ts';
import { readCommand } from '../http/read-command.ts';
import { toNewBody } from '../http/record-body.ts';
import { sendWritten } from '../http/send-written.ts';
import { append } from '../owner/append.ts';
import type { Command, CommandAnswer, Executed, WriteRequest } from '../owner/command.ts';
import { defineCommand } from '../owner/define-command.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { asJson } from '../owner/read-body.ts';
import { duplicateFound } from './input/find-duplicates.ts';
import { readNewValues } from './input/read-values.ts';
import { type ForeignLink, foreignLinksIn, linkForeign, requireLinkable } from './link-foreign.ts';
import { appendNumbered, hasNumbers } from './numbers/append-numbered.ts';
import { writeParameters } from './route-parts.ts';

export const createCommand = defineCommand({
  name: 'create',
  readBody: asJson,
  execute: (context, request) => context.recordsOf(request.model).create(request, context),
});

type EntityParams = { readonly entity: string };

export function registerCreate(server: FastifyInstance, context: CommandContext): void {
  server.post<{ Params: EntityParams }>('/api/v1/:entity', create, async (request, reply) => {
    const { entity } = request.params;
    const input = { command: createCommand, body: request.body, entity };
    const command = await readCommand(context, request, input);
    const { readBody, setIgnored } = checkAttributes(request, command, context.directory.entity);
    const sourceId = sourceOf(request, command);
    const answer =
      sourceId === undefined
        ? await createRecord({ ...command, isWholeRequest: true }, context, readBody)
        : await context.copyRecord(command, { sourceId, readBody });
    if (isInvitation(command)) await context.inviteUser(answer.state);
    setIgnored(reply);
    const status = createdStatus.get(command.model.name);
    if (status !== undefined) void reply.code(status);
    return sendWritten(reply, {
      request,
      command,
      answer,
      body: toNewBody(context, command, answer.state),
    });
  });
}

/** Returns true for a new user who gets a link to set a password. */
function isInvitation({ body, model }: Command): boolean {
  return model.name === loginUserType && body['sendAccessInfo'] === true;
}

/**
 * Reads the header with the id of the record whose links are copied. Returns undefined if the entity type has no links
 * to copy.
 */
function sourceOf({ headers }: FastifyRequest, { model }: Command): string | undefined {
  const sourceId = headers['x-duplicate-source-id'];
  const { copiedLinks = [] } = model.definition;
  const isGiven = typeof sourceId === 'string' && sourceId !== '' && copiedLinks.length > 0;
  return isGiven ? sourceId : undefined;
}

/** The record that is copied, and a function that reads the client's body for the copy or throws a Refusal. */
export interface Copying {
  readonly sourceId: string;
  readonly readBody: () => JsonObject;
}

type Plan = () => JsonObject | Promise<JsonObject>;

/**
 * Creates a record. All checks precede the creation. Repeating the request with the same Idempotency-Key carries out
 * the remaining steps. `plan` returns the body to send, or throws a Refusal.
 */
export function createRecord(
  command: Command,
  context: CommandContext,
  plan: Plan,
): Promise<CommandAnswer> {
  const links = foreignLinksIn(command, context.directory.entity);
  return links.length > 0
    ? createLinked({ ...command, isWholeRequest: false }, context, { links, plan })
    : context.sender.sendPlanned(createCommand, { ...command, plan });
}

/** Creates a record, and then adds it to the records that store a link to it. */
async function createLinked(
  command: Command,
  context: CommandContext,
  { links, plan }: { readonly links: readonly ForeignLink[]; readonly plan: Plan },
): Promise<CommandAnswer> {
  const made = await context.sender.sendPlanned(createCommand, {
    ...command,
    async plan() {
      // Runs first: for a copy the plan determines the remaining steps, even for a repeat whose links would now be
      // rejected.
      const body = await plan();
      await requireLinkable(command, links, context);
      return body;
    },
    // The name in a link comes from the read model.
    untilReadable: true,
  });
  await linkForeign(command, { links, newId: made.state.id }, context);
  return made;
}

/** Decides a creation on the owner instance. */
export async function executeCreate(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const { actor, model, place, conditions } = request;
  requireScope(actor, model.name, 'create');
  const values = await readNewValues(request, context);
  const duplicates =
    conditions.skipDuplicateCheck === true
      ? []
      : await context.findDuplicates({ actor, model, values });
  const decide = (
    state: RecordState | undefined,
    { now, numbers }: { readonly now: number; readonly numbers?: AttributeValues },
  ) => {
    // Rejected here rather than earlier: a repeat is not decided again, and an earlier check would find the record that
    // the first attempt created.
    if (duplicates.length > 0) throw duplicateFound(duplicates);
    const complete = withFollowedRules(model, { current: {}, after: values, now });
    return decideCreate(state, { ...complete, ...request.facts, ...numbers }, emptyValues(model));
  };
  if (hasNumbers(model)) return appendNumbered(request, decide, context);
  const id = place?.id ?? context.newIdIn(place?.partition ?? context.nextPartition());
  return append(context, request, { id, isCreation: true, decide });
}

const errorsOfCreate = [
  ...written,
  ...givenValues,
  'link.already_linked',
  'link.ids',
  'link.no_access',
  'link.several',
  'record.duplicate',
  'record.exists',
  'write.unread',
] as const;

const CREATED = 201;
/** The response status of a creation, by entity type, where clients expect a status other than 200. */
const createdStatus: ReadonlyMap<string, number> = new Map([['Webhook', CREATED]]);

const create = describeRoute({
  id: 'create{entity}',
  tag: '{entity}',
  summary: 'Create a record of {entity}',
  parameters: ['X-Skip-Duplicate-Check', 'X-Duplicate-Source-Id', 'X-Strict', ...writeParameters],
  body: refer('schemas', '{entity}_create'),
  answer: refer('schemas', '{entity}'),
  headers: [...writeHeaders, 'X-Ignored-Attributes', 'X-Warning'],
  errors: errorsOfCreate,
  more: noContent,
  expand: {
    isFor: isWritable,
    but: {
      User: { errors: [...errorsOfCreate, ...ofUsers] },
      Role: { errors: [...errorsOfCreate, 'role.invalid'] },
      Note: { errors: [...errorsOfCreate, 'note.denied', 'note.type', 'stream.none'] },
      TargetList: { errors: [...errorsOfCreate, 'mass_action.too_many', 'record.not_found'] },
      Webhook: { status: CREATED, errors: [...errorsOfCreate, ...ofWebhooks] },
    },
  },
});
