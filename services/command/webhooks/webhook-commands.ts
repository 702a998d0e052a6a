import { type CommandDefinition, defineCommand } from '../owner/define-command.ts';
import {
  asFlag,
  asJson,
  asNumber,
  asObject,
  asText,
  type JsonObject,
} from '../owner/read-body.ts';
import type { Executed, ExistingWriteRequest } from '../owner/write-request.ts';
import { type AskedReplay, changeReplay, startReplay } from './replay-handlers.ts';
import { requestQueueRun } from './request-queue-run.ts';
import { rotateSecret, switchOff, type WebhookHandlerDeps } from './webhook-handlers.ts';

interface WebhookOwner {
  readonly webhooks: WebhookHandlerDeps;
}

export const rotateSecretCommand = webhookCommand('rotate-secret', rotateSecret);
export const switchOffCommand = webhookCommand('switch-off', switchOff);
export const runQueueCommand = webhookCommand('run-queue', requestQueueRun);

/** Cancels a replay. Events that are already enqueued are still delivered. */
export const cancelReplayCommand = webhookCommand('cancel-replay', async (request, webhooks) =>
  changeReplay(request, { isCancelled: true }, webhooks),
);

/** Continues a cancelled or stalled replay at its position, with the rights of the user who resumes it. */
export const resumeReplayCommand = webhookCommand('resume-replay', async (request, webhooks) =>
  changeReplay(request, { isCancelled: false, resumedById: request.actor.id }, webhooks),
);

export const startReplayCommand = defineCommand({
  name: 'start-replay',
  readBody: asObject<AskedReplay>({
    webhookId: asText,
    from: asNumber,
    to: asNumber,
    dryRun: asFlag,
  }),
  execute: ({ webhooks }: WebhookOwner, request) => startReplay(request, webhooks),
});

export const webhookCommands = [
  rotateSecretCommand,
  switchOffCommand,
  startReplayCommand,
  cancelReplayCommand,
  resumeReplayCommand,
  runQueueCommand,
] as const;

function webhookCommand<const Name extends string>(
  name: Name,
  execute: (request: ExistingWriteRequest, deps: WebhookHandlerDeps) => Promise<Executed>,
): CommandDefinition<Name, JsonObject, WebhookOwner> {
  return defineCommand({
    name,
    readBody: asJson,
    execute: ({ webhooks }: WebhookOwner, request) => execute(request, webhooks),
  });
}
