import { Refusal } from '../../../shared/domain/errors.ts';
import { decideWrite } from '../../../shared/domain/record/decide.ts';
import { queueRunId, settingType } from '../../../shared/domain/webhook/queue-run.ts';
import type { Executed, ExistingWriteRequest } from '../forwarding/write-request.ts';
import type { WebhookHandlerDeps } from './webhook-handlers.ts';

/**
 * Requests a run of "Process Webhook Queue" by a setting in the directory log. All dispatchers read it, and it survives
 * restarts.
 */
export async function requestQueueRun(
  request: ExistingWriteRequest,
  { appendToDirectory, now }: WebhookHandlerDeps,
): Promise<Executed> {
  if (request.actor.type !== 'admin') {
    throw new Refusal(
      'forbidden',
      'webhook.run_forbidden',
      'Only an administrator may run the webhook queue.',
    );
  }
  const requestedAt = now();
  return appendToDirectory(
    { ...request, model: { name: settingType } },
    {
      id: queueRunId,
      decide: (state) =>
        decideWrite(state, { requestedAt, count: Number(state?.values['count'] ?? 0) + 1 }),
    },
  );
}
