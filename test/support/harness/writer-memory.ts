import { Backlog } from '../../../services/command/writer/backlog.ts';
import { CommandMemory } from '../../../services/command/writer/memory/command-memory.ts';
import { noQuarantine } from '../no-quarantine.ts';

/** The command memory of a writer without Postgres, on a disk with free space. */
export function writerMemory(projected: () => bigint) {
  return {
    projected,
    waitProjected: async () => {},
    findCommand: async () => undefined,
    requireRoom: () => {},
    quarantine: noQuarantine,
    findModel: () => undefined,
    commands: new CommandMemory({ projected, maxEntries: 1_000 }),
    backlog: new Backlog({ projected, maxBytes: 2 ** 30 }),
  };
}
