import type { Command } from 'commander';
import type { AloneContext, CommandWork } from './command-context.ts';

export interface Runner {
  /** Runs a parsed command on the installation in the options and the environment. */
  readonly run: (command: Command, work: CommandWork) => Promise<void>;
  /** Like run, for commands that need no installation. */
  readonly runAlone: (
    command: Command,
    work: (context: AloneContext) => Promise<unknown>,
  ) => Promise<void>;
}
