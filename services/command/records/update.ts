import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import {
  describeRoute,
  isWritable,
  noContent,
} from '../../../shared/http/describe/describe-route.ts';
import { changed, ofUsers, ofWebhooks } from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import type { CommandContext } from '../context.ts';
import { checkAttributes } from '../http/check-attributes.ts';
import { readCommand } from '../http/read-command.ts';
import { isShown, toBodyAsRead } from '../http/record-body.ts';
import { sendWritten } from '../http/send-written.ts';
import { append, requirePossibleId } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asJson } from '../owner/read-body.ts';
import { decideChange } from './input/decide-change.ts';
import { deriveUpdate } from './input/derive-update.ts';
import { editable, requireOpenFields } from './input/read-values.ts';
import { noLinks } from './input/resolve-links.ts';
import { writeParameters } from './route-parts.ts';

export const updateCommand = defineCommand({
  name: 'update',
  readBody: asJson,
  execute: (context, request) => context.recordsOf(request.model).update(request, context),
});

type RecordParams = { readonly entity: string; readonly id: string };

export function registerUpdate(server: FastifyInstance, context: CommandContext): void {
  for (const [method, name] of [
    ['PUT', 'put'],
    ['PATCH', 'update'],
  ] as const) {
    server.route<{ Params: RecordParams }>({
      method,
      url: '/api/v1/:entity/:id',
      ...update(name),
      handler: async (request, reply) => {
        const input = { command: updateCommand, body: request.body, ...request.params };
        const command = await readCommand(context, request, input);
        const { readBody, setIgnored } = checkAttributes(
          request,
          command,
          context.directory.entity,
        );
        const answer = await context.sender.sendPlanned(updateCommand, {
          ...command,
          isWholeRequest: true,
          plan: readBody,
        });
        setIgnored(reply);
        const body = await toBodyAsRead(context, command, answer.state);
        if (isShown(command, answer.state) && changesLinks(command.model, answer.changed)) {
          void reply.header('X-Record-Link-Updated', 'true');
        }
        return sendWritten(reply, { request, command, answer, body });
      },
    });
  }
}

/** Returns true if one of the changed attributes contains ids of a link. The names of linked records do not count. */
export function changesLinks({ attribute }: EntityModel, changed: readonly string[]): boolean {
  return changed.some((name) => attribute.get(name)?.link !== undefined);
}

/** Decides an update on the owner instance. */
export async function executeUpdate(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const { actor, model, body, id, conditions } = request;
  requireScope(actor, model.name, 'edit');
  requirePossibleId(id);
  requireOpenFields(request);
  const input = readInput(model, editable(actor, model, body), 'update');
  const { problems } = input;
  const values = { ...input.values, ...request.facts };
  const links =
    problems.length > 0 ? noLinks : await context.resolveLinks({ model, values, actor });
  return append(context, request, {
    id,
    decide(state, { now }) {
      const current = live(state, id);
      const update = { actor, model, conditions, values, problems, links };
      return decideChange(model, current, deriveUpdate(current, update, context), now);
    },
  });
}

const errorsOfUpdate = [...changed, 'write.unread'] as const;

function update(name: 'put' | 'update') {
  return describeRoute({
    id: `${name}{entity}`,
    tag: '{entity}',
    summary: 'Change a record of {entity}',
    description:
      'PUT and PATCH do the same: attributes that are not in the body keep their values.',
    parameters: ['id', 'If-Match', 'X-Version-Number', 'X-Strict', ...writeParameters],
    body: refer('schemas', '{entity}'),
    answer: refer('schemas', '{entity}'),
    headers: [...writeHeaders, 'X-Ignored-Attributes', 'X-Record-Link-Updated', 'X-Warning'],
    errors: errorsOfUpdate,
    more: noContent,
    expand: {
      isFor: isWritable,
      but: {
        User: { errors: [...errorsOfUpdate, ...ofUsers] },
        Role: { errors: [...errorsOfUpdate, 'role.invalid'] },
        Webhook: { errors: [...errorsOfUpdate, ...ofWebhooks, 'webhook.event_fixed'] },
      },
    },
  });
}
