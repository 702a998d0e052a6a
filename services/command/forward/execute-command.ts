import type { DirectoryCommands } from '../commands/directory-commands.ts';
import type { Executed, RecordCommands } from '../commands/record-commands.ts';
import { requestQueueRun } from '../commands/request-queue-run.ts';
import type { WebhookCommands } from '../commands/webhook-commands.ts';
import type { Attempt, RoutedCommand } from './route-commands.ts';

interface ExecuteDeps {
  readonly records: RecordCommands;
  readonly webhooks: WebhookCommands;
  readonly directoryCommands: DirectoryCommands;
  readonly now: () => number;
}

export type Execute = (command: RoutedCommand, attempt: Attempt) => Promise<Executed>;

/** Decides a command at this instance; NotOwner if it is not the one to do so. */
export function createExecute({ records, webhooks, directoryCommands, now }: ExecuteDeps): Execute {
  return async (command, { place, identity }) => {
    const commands = command.model.name === 'Webhook' ? webhooks : records;
    const request = { ...command, identity };
    const creation = place === undefined ? request : { ...request, place };
    const existing = { ...request, id: command.id ?? '' };
    switch (command.action) {
      case 'create':
        return commands.create(creation);
      case 'update':
        return commands.update(existing);
      case 'remove':
        return commands.remove(existing);
      case 'rotate-secret':
        return webhooks.rotateSecret(existing);
      case 'start-replay':
        return webhooks.startReplay(creation);
      case 'cancel-replay':
        return webhooks.cancelReplay(existing);
      case 'run-queue':
        return requestQueueRun(directoryCommands, { ...request, now: now() });
    }
  };
}
