import type { Sender } from '../owner/send-to-owner.ts';
import { bySystem } from '../owner/system-actor.ts';
import { removeCommand } from '../records/record-commands.ts';

/** Removes a webhook whose receiver has answered 410. Does nothing if it does not exist. */
export async function removeWebhook(
  id: string,
  { directory, sendToOwner, now, timeoutMs }: Sender,
): Promise<void> {
  const state = directory.record('Webhook', id);
  const model = directory.entity('Webhook');
  if (state === undefined || state.deleted || model === undefined) return;
  const deadline = now() + timeoutMs;
  await sendToOwner(removeCommand, { ...bySystem, id, model, body: {}, deadline });
}
