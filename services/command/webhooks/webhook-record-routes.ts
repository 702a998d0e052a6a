import type { FastifyInstance } from 'fastify';
import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import { describeRoute, noContent } from '../../../shared/http/describe/describe-route.ts';
import { changed, ofWebhooks, written } from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { answerRecord, sendWritten } from '../http/send-written.ts';
import { unknownAction } from '../records/unknown-action.ts';
import { rotateSecretCommand, runQueueCommand } from './webhook-commands.ts';

/** Routes that rotate a webhook's secret and run the scheduled job. */
export function registerWebhookRecordRoutes(
  server: FastifyInstance,
  context: CommandContext,
): void {
  server.post<{ Params: { readonly id: string } }>(
    '/api/v1/Webhook/:id/rotateSecret',
    rotateSecret,
    async (request, reply) => {
      const { id } = request.params;
      const asked = { command: rotateSecretCommand, body: request.body ?? {}, id };
      const command = await readCommand(context, request, { ...asked, entity: 'Webhook' });
      const answer = await context.sender.send(rotateSecretCommand, command);
      return answerRecord(context, reply, { request, command, answer });
    },
  );

  server.post<{ Params: { readonly entity: string; readonly action: string } }>(
    '/api/v1/:entity/action/:action',
    processQueue,
    async (request, reply) => {
      const { action, entity } = request.params;
      const asked = { command: runQueueCommand, body: {}, entity };
      const command = await readCommand(context, request, asked);
      if (command.model.name !== 'Webhook' || action !== 'processQueue') {
        throw unknownAction(command.model, action);
      }
      const answer = await context.sender.send(runQueueCommand, {
        ...command,
        untilReadable: false,
      });
      return sendWritten(reply, { request, command, answer, body: true });
    },
  );
}

const described = {
  tag: 'Webhook',
  headers: writeHeaders,
  more: noContent,
} as const;

const rotateSecret = describeRoute({
  ...described,
  id: 'Webhook_rotateSecret',
  summary: 'Rotate the secret of a webhook',
  description: 'For 24 hours, requests are signed with the old secret as well.',
  parameters: ['id', 'If-Match', 'Idempotency-Key', 'Prefer'],
  answer: refer('schemas', 'Webhook'),
  errors: [...changed, ...ofWebhooks, 'webhook.event_fixed'],
});

const processQueue = describeRoute({
  ...described,
  id: '{entity}_{action}',
  summary: `Run the scheduled job ${webhookJobName} now`,
  description: 'Sends the queued events of all webhooks. For administrators.',
  parameters: ['Idempotency-Key', 'Prefer'],
  answer: { const: true },
  errors: [...written, 'action.unknown', 'webhook.run_forbidden'],
  expand: {
    isFor: ({ name }) => name === 'Webhook',
    values: { action: ['processQueue'] },
  },
});
