import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { duplicateAttributes } from '../actions/duplicate-attributes.ts';
import { type RestoreDeps, restoreRecord, unknownAction } from '../actions/restore-record.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

/** How other writes answer. */
interface Answers {
  readonly send: (
    reply: FastifyReply,
    outgoing: {
      readonly request: FastifyRequest;
      readonly answer: RoutedAnswer;
      readonly body: unknown;
    },
  ) => FastifyReply;
  readonly toBody: (
    command: RoutedCommand,
    state: RecordState,
  ) => Promise<Readonly<Record<string, AttributeValue>>>;
}

type RecordActionDeps = CommandRouteDeps & RestoreDeps;
type EntityParams = { readonly entity: string };

/** Actions of every entity type with the record that the body names (api-facts 3.3). */
export function registerRecordActionRoutes(
  server: FastifyInstance,
  deps: RecordActionDeps,
  { send, toBody }: Answers,
): void {
  server.post<{ Params: EntityParams }>(
    '/api/v1/:entity/action/restoreDeleted',
    async (request, reply) => {
      const command = await readNamed(deps, request);
      return send(reply, { request, answer: await restoreRecord(command, deps), body: true });
    },
  );

  server.post<{ Params: EntityParams }>(
    '/api/v1/:entity/action/getDuplicateAttributes',
    async (request, reply) => {
      const command = await readNamed(deps, request);
      const { actor, model, id } = command;
      if (!model.definition.isObject || model.definition.log !== 'records') {
        throw unknownAction(model, 'getDuplicateAttributes');
      }
      requireScope(actor, model.name, 'read');
      requireScope(actor, model.name, 'create');
      const state = live(await deps.readState(model, id), id);
      requireRecordAccess(actor, 'read', { ...state, model });
      // Nothing was sent: what stands behind links is shown to those who may read it there.
      const record = await toBody({ ...command, body: {} }, state);
      return sendJson(reply, duplicateAttributes({ actor, model, record }));
    },
  );
}

async function readNamed(
  deps: RecordActionDeps,
  request: FastifyRequest<{ Params: EntityParams }>,
): Promise<RoutedCommand & { readonly id: string }> {
  const id = textIn(request.body, 'id');
  const asked = { action: 'restore', body: request.body, id } as const;
  const command = await readCommand(deps, request, asked);
  if (id !== '') return { ...command, id };
  throw new Refusal('invalid', 'body.value_missing', 'The body has no id, or it is no text.');
}
