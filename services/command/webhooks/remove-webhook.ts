import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { removeAction } from '../records/record-actions.ts';
import type { RouteCommand } from '../routing/route-commands.ts';
import { systemAdministrator } from '../routing/system-actor.ts';

interface RemoveDeps {
  readonly directory: Directory;
  readonly route: RouteCommand;
  readonly timeoutMs: number;
}

/** Removes a webhook whose receiver wants no more of it; changes nothing where there is none. */
export function createRemoveWebhook({ directory, route, timeoutMs }: RemoveDeps) {
  return async (id: string): Promise<void> => {
    const state = directory.record('Webhook', id);
    const model = directory.entity('Webhook');
    if (state === undefined || state.deleted || model === undefined) return;
    await route(removeAction, {
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
