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
    switch (command.action) {
      case 'create':
        return commands.create(place === undefined ? request : { ...request, place });
      case 'update':
        return commands.update({ ...request, id: command.id ?? '' });
      case 'remove':
        return commands.remove({ ...request, id: command.id ?? '' });
      case 'rotate-secret':
        return webhooks.rotateSecret({ ...request, id: command.id ?? '' });
      case 'run-queue':
        return requestQueueRun(directoryCommands, { ...request, now: now() });
    }
  };
}
