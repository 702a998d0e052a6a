import { Command } from 'commander';
import { version } from '../../shared/runtime/version.ts';
import type { Runner } from './command-context.ts';
import { defineFileCommands } from './definitions/file-commands.ts';
import { defineHealthCommands } from './definitions/health-commands.ts';
import { defineLogCommands } from './definitions/log-commands.ts';
import { defineRecordCommands } from './definitions/record-commands.ts';
import { defineUserCommands } from './definitions/user-commands.ts';
import { defineWebhookCommands } from './definitions/webhook-commands.ts';
import { usageHint } from './usage-error.ts';

/**
 * Defines all commands with their options. The function of a command is loaded when the command runs, so --help loads
 * none of them. Parsing an invalid command line throws a CommanderError or a UsageError.
 */
export function createProgram(runner: Runner): Command {
  const program = new Command('annals')
    .description('Commands for operators of Annals')
    .exitOverride()
    // An option belongs to the command before it.
    .enablePositionalOptions()
    .version(version, '--version', 'print the version')
    .showHelpAfterError(usageHint);
  defineHealthCommands(program, runner);
  defineLogCommands(program, runner);
  defineFileCommands(program, runner);
  defineWebhookCommands(program, runner);
  defineRecordCommands(program, runner);
  defineUserCommands(program, runner);
  return program;
}
