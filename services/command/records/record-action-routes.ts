import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { Command } from '../forwarding/send-to-owner.ts';
import { type CommandRouteDeps, readCommand } from '../http/read-command.ts';
import { type RecordBodyDeps, toBodyAsRead } from '../http/record-body.ts';
import { sendWritten } from '../http/send-written.ts';
import { duplicateAttributes, hasCopies } from './duplicate-attributes.ts';
import { restoreCommand } from './record-commands.ts';
import { readDuplicateAttributes, restore } from './record-schemas.ts';
import { type RestoreDeps, restoreRecord } from './restore-record.ts';
import { unknownAction } from './unknown-action.ts';

type RecordActionDeps = CommandRouteDeps &
  RecordBodyDeps &
  RestoreDeps & {
    readonly readState: (model: EntityModel, id: string) => Promise<RecordState | undefined>;
  };
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
      if (!hasCopies(model)) {
        throw unknownAction(model, 'getDuplicateAttributes');
      }
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
  if (id !== '') return { ...command, id };
  throw new Refusal('invalid', 'body.value_missing', 'The body has no id, or it is no text.');
}
