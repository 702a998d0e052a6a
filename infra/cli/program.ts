import { Command } from 'commander';
import { defineHealthCommands } from './definitions/health-commands.ts';
import { defineLogCommands } from './definitions/log-commands.ts';
import { defineUserCommands } from './definitions/user-commands.ts';
import { defineWebhookCommands } from './definitions/webhook-commands.ts';
import type { Runner } from './runner.ts';

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
