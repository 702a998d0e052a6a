import { settingType } from '../../../shared/domain/directory/directory.ts';
import { queueRunId } from '../../../shared/domain/directory/queue-run.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideWrite } from '../../../shared/domain/record/decide.ts';
import { appendToDirectory } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asJson } from '../owner/read-body.ts';
import { rotateSecret, switchOff } from './webhook-handlers.ts';

export const rotateSecretCommand = defineCommand({
  name: 'rotate-secret',
  readBody: asJson,
  execute: (context, request) => rotateSecret(request, context),
});

export const switchOffCommand = defineCommand({
  name: 'switch-off',
  readBody: asJson,
  execute: (context, request) => switchOff(request, context),
});

/**
 * Requests a run of "Process Webhook Queue" by writing a setting to the directory log. All dispatchers read the
 * setting, and it survives restarts.
 */
export const runQueueCommand = defineCommand({
  name: 'run-queue',
  readBody: asJson,
  execute: (context, request) =>
    appendToDirectory(
      context,
      { ...request, model: { name: settingType } },
      {
        id: queueRunId,
        decide(state, { now: requestedAt }) {
          if (request.actor.type !== 'admin') {
            const message = 'Only administrators may run the webhook queue.';
            throw new Refusal('forbidden', 'webhook.run_forbidden', message);
          }
          // The count distinguishes two requests within the same millisecond.
          const count = Number(state?.values['count'] ?? 0) + 1;
          return decideWrite(state, { requestedAt, count });
        },
      },
    ),
});
