import type { Command } from 'commander';
import type { CommandContext, CommandWork } from './command-context.ts';

export interface AloneContext extends Pick<CommandContext, 'isJson' | 'output' | 'confirm'> {
  /** As the command line names it. */
  readonly dataDir: string | undefined;
}

export interface Runner {
  /** Runs a parsed command. */
  readonly run: (command: Command, work: CommandWork) => Promise<void>;
  /** Like run, for commands that need no installation. */
  readonly runAlone: (
    command: Command,
    work: (context: AloneContext) => Promise<unknown>,
  ) => Promise<void>;
}
