import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type Definition, decideDefinition } from '../actions/define-entities.ts';
import type { DirectoryCommands } from '../commands/directory-commands.ts';
import type { LogRecordCommands, RecordCommands } from '../commands/record-commands.ts';
import { requestQueueRun } from '../commands/request-queue-run.ts';
import type { Executed } from '../commands/write-request.ts';
import type { Attempt, RoutedCommand } from './route-commands.ts';

interface ExecuteDeps {
  readonly records: LogRecordCommands;
  /** For entity types of the directory, by name. */
  readonly directory: ReadonlyMap<string, RecordCommands>;
  readonly directoryCommands: DirectoryCommands;
  readonly definitions: Directory;
  readonly now: () => number;
}

export type Execute = (command: RoutedCommand, attempt: Attempt) => Promise<Executed>;

/** Decides a command at this instance; NotOwner if it is not the one to do so. */
export function createExecute(deps: ExecuteDeps): Execute {
  const { records, directory, directoryCommands, definitions, now } = deps;
  const commandsFor = ({ name, definition }: RoutedCommand['model']): RecordCommands => {
    if (definition.log === 'records') return records;
    const found = directory.get(name);
    if (found !== undefined) return found;
    throw new Refusal('forbidden', 'access.denied', `${name} has an API of its own.`);
  };

  return async (command, { place, identity }) => {
    if (command.action === 'define') {
      const decide = decideDefinition(definitions, command.body as unknown as Definition);
      const target = { id: command.id ?? '', isCreation: false, decide };
      return directoryCommands.append({ ...command, identity }, target);
    }
    const commands = commandsFor(command.model);
    const request = { ...command, identity };
    switch (command.action) {
      case 'create':
        return commands.create(place === undefined ? request : { ...request, place });
      case 'update':
        return commands.update({ ...request, id: command.id ?? '' });
      case 'remove':
        return commands.remove({ ...request, id: command.id ?? '' });
      case 'link':
      case 'unlink':
        return commands.changeLinks(command.action, { ...request, id: command.id ?? '' });
      case 'convert':
        return records.convert({ ...request, id: command.id ?? '' });
      case 'run-queue':
        return requestQueueRun(directoryCommands, { ...request, now: now() });
    }
  };
}
