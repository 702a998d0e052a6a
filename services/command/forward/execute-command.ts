import type { DirectoryCommands } from '../commands/directory-commands.ts';
import type { RecordCommands } from '../commands/record-commands.ts';
import { requestQueueRun } from '../commands/request-queue-run.ts';
import type { Executed } from '../commands/write-request.ts';
import type { Attempt, RoutedCommand } from './route-commands.ts';

interface ExecuteDeps {
  readonly records: RecordCommands;
  /** For entity types of the directory, by name. */
  readonly directory: ReadonlyMap<string, RecordCommands>;
  readonly directoryCommands: DirectoryCommands;
  readonly now: () => number;
}

export type Execute = (command: RoutedCommand, attempt: Attempt) => Promise<Executed>;

/** Decides a command at this instance; NotOwner if it is not the one to do so. */
export function createExecute(deps: ExecuteDeps): Execute {
  const { records, directory, directoryCommands, now } = deps;
  return async (command, { place, identity }) => {
    const commands = directory.get(command.model.name) ?? records;
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
      case 'run-queue':
        return requestQueueRun(directoryCommands, { ...request, now: now() });
    }
  };
}
