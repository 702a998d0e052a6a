import type { Sender } from '../forwarding/send-to-owner.ts';
import { bySystem } from '../forwarding/system-actor.ts';
import { removeCommand } from '../records/record-commands.ts';

/** Removes a webhook whose receiver responded 410. Does nothing if the webhook does not exist. */
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
