import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { decideDelete, live } from '../../../shared/domain/record/decide.ts';
import {
  describeRoute,
  isWritable,
  noContent,
} from '../../../shared/http/describe/describe-route.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { sendWritten } from '../http/send-written.ts';
import { append } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asJson } from '../owner/read-body.ts';
import { requireConditions } from './input/require-conditions.ts';
import { errorsOfRemove, writeParameters } from './route-parts.ts';

export const removeCommand = defineCommand({
  name: 'remove',
  readBody: asJson,
  execute: (context, request) => context.recordsOf(request.model).remove(request, context),
});

type RecordParams = { readonly entity: string; readonly id: string };

export function registerRemove(server: FastifyInstance, context: CommandContext): void {
  server.delete<{ Params: RecordParams }>('/api/v1/:entity/:id', remove, async (request, reply) => {
    const input = { command: removeCommand, body: {}, ...request.params };
    const command = await readCommand(context, request, input);
    const answer = await context.sender.send(removeCommand, { ...command, isWholeRequest: true });
    return sendWritten(reply, { request, command, answer, body: true });
  });
}

/** Decides a deletion on the owner instance. */
export async function executeRemove(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const { actor, model, id, conditions } = request;
  requireScope(actor, model.name, 'delete');
  return append(context, request, {
    id,
    decide(state) {
      const current = live(state, id);
      requireRecordAccess(actor, 'delete', { ...current, model });
      requireConditions(current, { actor, model, conditions });
      return decideDelete(current);
    },
  });
}

const remove = describeRoute({
  id: 'delete{entity}',
  tag: '{entity}',
  summary: 'Delete a record of {entity}',
  parameters: ['id', 'If-Match', ...writeParameters],
  answer: { const: true },
  headers: writeHeaders.filter((name) => name !== 'ETag'),
  errors: errorsOfRemove,
  more: noContent,
  expand: {
    isFor: isWritable,
    but: {
      User: { errors: [...errorsOfRemove, 'user.own'] },
      Webhook: { errors: [...errorsOfRemove, 'webhook.forbidden'] },
    },
  },
});
