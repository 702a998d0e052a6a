import type { Append } from '../forwarding/append.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import { asFlag, asNumber, asSent, asText, bodyOf } from '../forwarding/read-body.ts';
import { type AskedReplay, cancelReplay, resumeReplay, startReplay } from './replay-handlers.ts';
import { requestQueueRun } from './request-queue-run.ts';
import { rotateSecret, switchOff, type WebhookHandlerDeps } from './webhook-handlers.ts';

interface WebhookOwner {
  readonly webhooks: WebhookHandlerDeps;
}

export const rotateSecretCommand = defineCommand({
  name: 'rotate-secret',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => rotateSecret(request, webhooks),
});

export const switchOffCommand = defineCommand({
  name: 'switch-off',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => switchOff(request, webhooks),
});

export const startReplayCommand = defineCommand({
  name: 'start-replay',
  readBody: bodyOf<AskedReplay>({
    webhookId: asText,
    from: asNumber,
    to: asNumber,
    dryRun: asFlag,
  }),
  execute: ({ webhooks }: WebhookOwner, request) => startReplay(request, webhooks),
});

export const cancelReplayCommand = defineCommand({
  name: 'cancel-replay',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => cancelReplay(request, webhooks),
});

export const resumeReplayCommand = defineCommand({
  name: 'resume-replay',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => resumeReplay(request, webhooks),
});

export const runQueueCommand = defineCommand({
  name: 'run-queue',
  readBody: asSent,
  execute: (owner: { readonly appendToDirectory: Append; readonly now: () => number }, request) =>
    requestQueueRun(owner.appendToDirectory, { ...request, now: owner.now() }),
});

export const webhookCommands = [
  rotateSecretCommand,
  switchOffCommand,
  startReplayCommand,
  cancelReplayCommand,
  resumeReplayCommand,
  runQueueCommand,
] as const;
