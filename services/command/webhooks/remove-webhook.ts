import type { CommandContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { removeCommand } from '../records/remove.ts';

/** Removes a webhook whose receiver responded 410. Does nothing if the webhook does not exist. */
export async function removeWebhook(
  id: string,
  { directory, sender, now, timeoutMs }: CommandContext,
): Promise<void> {
  const state = directory.record('Webhook', id);
  const model = directory.entity('Webhook');
  if (state === undefined || state.deleted || model === undefined) return;
  const deadline = now() + timeoutMs;
  await sender.send(removeCommand, { ...bySystem, id, model, body: {}, deadline });
}
