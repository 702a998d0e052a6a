import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CommandContext } from '../context.ts';
import { checkAttributes } from '../http/check-attributes.ts';
import { readCommand } from '../http/read-command.ts';
import { isShown, toBodyAsRead, toNewBody } from '../http/record-body.ts';
import { sendWritten } from '../http/send-written.ts';
import type { Command } from '../owner/command.ts';
import { createRecord } from './create-record.ts';
import { changesLinks } from './links/changes-links.ts';
import { createCommand, removeCommand, updateCommand } from './record-commands.ts';
import { create, createdStatus, remove, update } from './record-schemas.ts';

type EntityParams = { readonly entity: string };
type RecordParams = EntityParams & { readonly id: string };

/** Routes for creating, changing and removing records. */
export function registerRecordRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post<{ Params: EntityParams }>('/api/v1/:entity', create, async (request, reply) => {
    const { entity } = request.params;
    const asked = { command: createCommand, body: request.body, entity };
    const command = await readCommand(context, request, asked);
    const { readBody, tellIgnored } = checkAttributes(request, command, context.directory.entity);
    const sourceId = sourceOf(request, command);
    const answer =
      sourceId === undefined
        ? await createRecord(command, context, readBody)
        : await context.copyRecord(command, { sourceId, readBody });
    tellIgnored(reply);
    const status = createdStatus.get(command.model.name);
    if (status !== undefined) void reply.code(status);
    return sendWritten(reply, {
      request,
      command,
      answer,
      body: toNewBody(context, command, answer.state),
    });
  });

  for (const [method, name] of [
    ['PUT', 'put'],
    ['PATCH', 'update'],
  ] as const) {
    server.route<{ Params: RecordParams }>({
      method,
      url: '/api/v1/:entity/:id',
      ...update(name),
      handler: async (request, reply) => {
        const asked = { command: updateCommand, body: request.body, ...request.params };
        const command = await readCommand(context, request, asked);
        const { readBody, tellIgnored } = checkAttributes(
          request,
          command,
          context.directory.entity,
        );
        const answer = await context.sender.sendPlanned(updateCommand, {
          ...command,
          plan: readBody,
        });
        tellIgnored(reply);
        const body = await toBodyAsRead(context, command, answer.state);
        if (isShown(command, answer.state) && changesLinks(command.model, answer.changed)) {
          void reply.header('X-Record-Link-Updated', 'true');
        }
        return sendWritten(reply, { request, command, answer, body });
      },
    });
  }

  server.delete<{ Params: RecordParams }>('/api/v1/:entity/:id', remove, async (request, reply) => {
    const asked = { command: removeCommand, body: {}, ...request.params };
    const command = await readCommand(context, request, asked);
    const answer = await context.sender.send(removeCommand, command);
    return sendWritten(reply, { request, command, answer, body: true });
  });
}

/** The record whose links are copied, from the header. Undefined if the entity type has no links to copy. */
function sourceOf(
  { headers }: FastifyRequest,
  { model }: Pick<Command, 'model'>,
): string | undefined {
  const sourceId = headers['x-duplicate-source-id'];
  const { copiedLinks = [] } = model.definition;
  const isGiven = typeof sourceId === 'string' && sourceId !== '' && copiedLinks.length > 0;
  return isGiven ? sourceId : undefined;
}
