import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type Definition, decideDefinition } from '../actions/define-entities.ts';
import type { DirectoryCommands } from '../commands/directory-commands.ts';
import { executeLogin } from '../commands/login-commands.ts';
import type { MarkCommand } from '../commands/mark-command.ts';
import type { LogRecordCommands, RecordCommands } from '../commands/record-commands.ts';
import { requestQueueRun } from '../commands/request-queue-run.ts';
import type { WebhookCommands } from '../commands/webhook-commands.ts';
import type { Executed } from '../commands/write-request.ts';
import type { Attempt, RoutedCommand } from './route-commands.ts';

interface ExecuteDeps {
  readonly records: LogRecordCommands;
  /** For entity types of the directory, and others with rules of their own, by name. */
  readonly byType: ReadonlyMap<string, RecordCommands>;
  readonly webhooks: WebhookCommands;
  readonly mark: MarkCommand;
  readonly directoryCommands: DirectoryCommands;
  readonly definitions: Directory;
  readonly now: () => number;
}

export type Execute = (command: RoutedCommand, attempt: Attempt) => Promise<Executed>;

/** Decides a command at this instance; NotOwner if it is not the one to do so. */
export function createExecute(deps: ExecuteDeps): Execute {
  const { records, byType, webhooks, mark, directoryCommands, definitions, now } = deps;
  const commandsFor = ({ name, definition }: RoutedCommand['model']): RecordCommands => {
    const found = byType.get(name);
    if (found !== undefined) return found;
    if (definition.log === 'records') return records;
    throw new Refusal('forbidden', 'access.denied', `${name} has an API of its own.`);
  };

  return async (command, { place, identity }) => {
    const id = command.id ?? '';
    const request = { ...command, identity, id };
    const creation = { ...command, identity, ...(place === undefined ? {} : { place }) };
    switch (command.action) {
      case 'create':
        return commandsFor(command.model).create(creation);
      case 'update':
        return commandsFor(command.model).update(request);
      case 'remove':
        return commandsFor(command.model).remove(request);
      case 'link':
      case 'unlink':
        return commandsFor(command.model).changeLinks(command.action, request);
      case 'convert':
        return records.convert(request);
      case 'mark':
        return mark(request);
      case 'define': {
        const decide = decideDefinition(definitions, command.body as unknown as Definition);
        return directoryCommands.append(request, { id, isCreation: false, decide });
      }
      case 'rotate-secret':
        return webhooks.rotateSecret(request);
      case 'switch-off':
        return webhooks.switchOff(request);
      case 'start-replay':
        return webhooks.startReplay(creation);
      case 'cancel-replay':
        return webhooks.cancelReplay(request);
      case 'run-queue':
        return requestQueueRun(directoryCommands, { ...request, now: now() });
      default:
        return executeLogin(directoryCommands, command.action, request);
    }
  };
}
