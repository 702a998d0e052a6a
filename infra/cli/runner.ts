import type { Command } from 'commander';
import type { CommandContext, CommandWork } from './command-context.ts';

export interface AloneContext extends Pick<CommandContext, 'isJson' | 'output' | 'confirm'> {
  /** As the command line names it. */
  readonly dataDir: string | undefined;
}

export interface Runner {
  /** Does the work of a command that was parsed. */
  readonly run: (command: Command, work: CommandWork) => Promise<void>;
  /** As run, for what needs no installation. */
  readonly runAlone: (
    command: Command,
    work: (context: AloneContext) => Promise<unknown>,
  ) => Promise<void>;
}
