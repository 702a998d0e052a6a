import { defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import { asSent, bodyOf, flag, number, text } from '../routing/read-body.ts';
import type { AskedReplay } from './replay-commands.ts';
import { requestQueueRun } from './request-queue-run.ts';
import type { WebhookCommands } from './webhook-commands.ts';

interface WebhookOwner {
  readonly webhooks: WebhookCommands;
}

export const rotateSecretAction = defineAction({
  name: 'rotate-secret',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => webhooks.rotateSecret(request),
});

export const switchOffAction = defineAction({
  name: 'switch-off',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => webhooks.switchOff(request),
});

export const startReplayAction = defineAction({
  name: 'start-replay',
  readBody: bodyOf<AskedReplay>({ webhookId: text, from: number, to: number, dryRun: flag }),
  execute: ({ webhooks }: WebhookOwner, request) => webhooks.startReplay(request),
});

export const cancelReplayAction = defineAction({
  name: 'cancel-replay',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => webhooks.cancelReplay(request),
});

export const resumeReplayAction = defineAction({
  name: 'resume-replay',
  readBody: asSent,
  execute: ({ webhooks }: WebhookOwner, request) => webhooks.resumeReplay(request),
});

export const runQueueAction = defineAction({
  name: 'run-queue',
  readBody: asSent,
  execute: (owner: { readonly appendToDirectory: Append; readonly now: () => number }, request) =>
    requestQueueRun(owner.appendToDirectory, { ...request, now: owner.now() }),
});

export const webhookActions = [
  rotateSecretAction,
  switchOffAction,
  startReplayAction,
  cancelReplayAction,
  resumeReplayAction,
  runQueueAction,
] as const;
