import { Command } from 'commander';
import type { CommandContext, CommandWork } from './command-context.ts';
import { defineHealthCommands } from './definitions/health-commands.ts';
import { defineLogCommands } from './definitions/log-commands.ts';
import { defineUserCommands } from './definitions/user-commands.ts';
import { defineWebhookCommands } from './definitions/webhook-commands.ts';

type AloneContext = Pick<CommandContext, 'isJson' | 'output'>;

export interface Runner {
  /** Does the work of a command that was parsed. */
  readonly run: (command: Command, work: CommandWork) => Promise<void>;
  /** As run, for what needs no installation. */
  readonly runAlone: (
    command: Command,
    work: (context: AloneContext) => Promise<unknown>,
  ) => Promise<void>;
}

/** Every command with its options. A wrong command line makes it throw a CommanderError. */
export function createProgram(runner: Runner): Command {
  const program = new Command('annals')
    .description("Operators' commands of Annals")
    .exitOverride()
    .showHelpAfterError('--help shows the options.');
  defineHealthCommands(program, runner);
  defineLogCommands(program, runner);
  defineWebhookCommands(program, runner);
  defineUserCommands(program, runner);
  return program;
}
