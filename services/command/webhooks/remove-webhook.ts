import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { SendToOwner } from '../forwarding/send-to-owner.ts';
import { systemAdministrator } from '../forwarding/system-actor.ts';
import { removeCommand } from '../records/record-commands.ts';

interface RemoveDeps {
  readonly directory: Directory;
  readonly sendToOwner: SendToOwner;
  readonly timeoutMs: number;
}

/** Removes a webhook whose receiver has answered 410. Does nothing if it does not exist. */
export function createRemoveWebhook({ directory, sendToOwner, timeoutMs }: RemoveDeps) {
  return async (id: string): Promise<void> => {
    const state = directory.record('Webhook', id);
    const model = directory.entity('Webhook');
    if (state === undefined || state.deleted || model === undefined) return;
    await sendToOwner(removeCommand, {
      id,
      model,
      actor: systemAdministrator,
      body: {},
      conditions: {},
      commandId: null,
      commandHash: null,
      deadline: Date.now() + timeoutMs,
      untilReadable: false,
    });
  };
}
