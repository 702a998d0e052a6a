import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { Command } from '../forwarding/send-to-owner.ts';
import { type CommandRouteDeps, readCommand, requireText } from '../http/read-command.ts';
import { toBodyAsRead } from '../http/record-body.ts';
import { sendWritten } from '../http/send-written.ts';
import { duplicateAttributes, hasCopies } from './duplicate-attributes.ts';
import type { LinkForeignDeps } from './link-foreign.ts';
import { restoreCommand } from './record-commands.ts';
import { readDuplicateAttributes, restore } from './record-schemas.ts';
import { type RestoreDeps, restoreRecord } from './restore-record.ts';
import { unknownAction } from './unknown-action.ts';

type RecordActionDeps = CommandRouteDeps & RestoreDeps & Pick<LinkForeignDeps, 'readState'>;
type EntityParams = { readonly entity: string };

/** Actions of all entity types on the record that the body names (docs/reference/actions.md). */
export function registerRecordActionRoutes(server: FastifyInstance, deps: RecordActionDeps): void {
  server.post<{ Params: EntityParams }>(
    '/api/v1/:entity/action/restoreDeleted',
    restore,
    async (request, reply) => {
      const command = await readNamed(deps, request);
      const answer = await restoreRecord(command, deps);
      return sendWritten(reply, { request, command, answer, body: true });
    },
  );

  server.post<{ Params: EntityParams }>(
    '/api/v1/:entity/action/getDuplicateAttributes',
    readDuplicateAttributes,
    async (request, reply) => {
      const command = await readNamed(deps, request);
      const { actor, model, id } = command;
      if (!hasCopies(model)) throw unknownAction(model, 'getDuplicateAttributes');
      requireScope(actor, model.name, 'read');
      requireScope(actor, model.name, 'create');
      const state = live(await deps.readState(model, id), id);
      requireRecordAccess(actor, 'read', { ...state, model });
      // The body sets no links, so linked records are shown only to users who may read them.
      const record = await toBodyAsRead(deps, { ...command, body: {} }, state);
      return sendJson(reply, duplicateAttributes({ actor, model, record }));
    },
  );
}

async function readNamed(
  deps: RecordActionDeps,
  request: FastifyRequest<{ Params: EntityParams }>,
): Promise<Command & { readonly id: string }> {
  const id = textIn(request.body, 'id');
  const asked = { command: restoreCommand, body: request.body, id };
  const command = await readCommand(deps, request, asked);
  return { ...command, id: requireText(command.body, 'id') };
}
