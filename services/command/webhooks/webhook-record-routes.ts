import type { FastifyInstance } from 'fastify';
import { type CommandRouteDeps, readCommand } from '../http/read-command.ts';
import type { RecordBodyDeps } from '../http/record-body.ts';
import { answerRecord, sendWritten } from '../http/send-written.ts';
import { unknownAction } from '../records/unknown-action.ts';
import { rotateSecretAction, runQueueAction } from './webhook-actions.ts';

type Deps = CommandRouteDeps & RecordBodyDeps;

/** Actions with webhooks as records: a new secret, and the queue of all of them. */
export function registerWebhookRecordRoutes(server: FastifyInstance, deps: Deps): void {
  server.post<{ Params: { readonly id: string } }>(
    '/api/v1/Webhook/:id/rotateSecret',
    async (request, reply) => {
      const { id } = request.params;
      const asked = { action: rotateSecretAction, body: request.body ?? {}, id };
      const command = await readCommand(deps, request, { ...asked, entity: 'Webhook' });
      const answer = await deps.route(rotateSecretAction, command);
      return answerRecord(deps, reply, { request, command, answer });
    },
  );

  server.post<{ Params: { readonly entity: string; readonly action: string } }>(
    '/api/v1/:entity/action/:action',
    async (request, reply) => {
      const { action, entity } = request.params;
      const asked = { action: runQueueAction, body: {}, entity };
      const command = await readCommand(deps, request, asked);
      if (command.model.name !== 'Webhook' || action !== 'processQueue') {
        throw unknownAction(command.model, action);
      }
      const answer = await deps.route(runQueueAction, { ...command, untilReadable: false });
      return sendWritten(reply, { request, command, answer, body: true });
    },
  );
}
