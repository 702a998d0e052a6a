import type { CommandContext } from '../context.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { type CommandDefinition, defineCommand } from '../owner/define-command.ts';
import { asFlag, asJson, asNumber, asObject, asText, type JsonObject } from '../owner/read-body.ts';
import { changeReplay, type ReplayRequest, startReplay } from './replay-handlers.ts';
import { requestQueueRun } from './request-queue-run.ts';
import { rotateSecret, switchOff } from './webhook-handlers.ts';

export const rotateSecretCommand = webhookCommand('rotate-secret', rotateSecret);
export const switchOffCommand = webhookCommand('switch-off', switchOff);
export const runQueueCommand = webhookCommand('run-queue', requestQueueRun);

/** Cancels a replay. Events that are already enqueued are still delivered. */
export const cancelReplayCommand = webhookCommand('cancel-replay', async (request, context) =>
  changeReplay(request, { isCancelled: true }, context),
);

/** Continues a cancelled or stopped replay at its position, with the permissions of the user who resumes it. */
export const resumeReplayCommand = webhookCommand('resume-replay', async (request, context) =>
  changeReplay(request, { isCancelled: false, resumedById: request.actor.id }, context),
);

export const startReplayCommand = defineCommand({
  name: 'start-replay',
  readBody: asObject<ReplayRequest>({
    webhookId: asText,
    from: asNumber,
    to: asNumber,
    dryRun: asFlag,
  }),
  execute: (context, request) => startReplay(request, context),
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
  execute: (request: WriteRequest, context: CommandContext) => Promise<Executed>,
): CommandDefinition<Name, JsonObject> {
  return defineCommand({
    name,
    readBody: asJson,
    execute: (owner, request) => execute(request, owner),
  });
}
