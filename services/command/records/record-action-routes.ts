import type { FastifyInstance, FastifyRequest } from 'fastify';
import { textIn } from '../../../shared/http/require-object.ts';
import type { CommandContext } from '../context.ts';
import { readCommand, requireText } from '../http/read-command.ts';
import { sendWritten } from '../http/send-written.ts';
import type { Command } from '../owner/command.ts';
import { restoreCommand } from './record-commands.ts';
import { restore } from './record-schemas.ts';
import { restoreRecord } from './restore-record.ts';

type EntityParams = { readonly entity: string };

/** Actions of all entity types on the record that the body names (docs/reference/actions.md). */
export function registerRecordActionRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post<{ Params: EntityParams }>(
    '/api/v1/:entity/action/restoreDeleted',
    restore,
    async (request, reply) => {
      const command = await readNamed(context, request);
      const answer = await restoreRecord(command, context);
      return sendWritten(reply, { request, command, answer, body: true });
    },
  );
}

/** Reads a command for the record that the body names. */
export async function readNamed(
  context: CommandContext,
  request: FastifyRequest<{ Params: EntityParams }>,
): Promise<Command & { readonly id: string }> {
  const id = textIn(request.body, 'id');
  const asked = { command: restoreCommand, body: request.body, id };
  const command = await readCommand(context, request, asked);
  return { ...command, id: requireText(command.body, 'id') };
}
