import { type Command, InvalidArgumentError } from 'commander';
import { momentForms, parseMoment } from '../../../shared/domain/field/types/time/parse-moment.ts';
import type { CommandContext } from '../command-context.ts';
import type { VerifyWebhookOptions } from '../commands/verify-webhooks.ts';
import { UsageError } from '../usage-error.ts';

/** Defines a command with the options that nearly all commands have. */
export function defineCommand(
  parent: Command,
  name: string,
  ...examples: readonly string[]
): Command {
  return withExamples(withCommonOptions(parent.command(name)), ...examples);
}

export function withCommonOptions(
  command: Command,
  json = 'one JSON object as the result',
): Command {
  return command
    .option('--json', json)
    .option('--data-dir <path>', 'data directory of npm start (default: ANNALS_DATA_DIR, .annals)');
}

/** Adds --yes, for irreversible commands. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation');
}

/**
 * Returns the action of a command. The command's function is loaded when it runs, and is called with the context, the
 * arguments and the options, in commander's order.
 */
export function toAction<Context, Args extends readonly unknown[]>(
  run: (command: Command, work: (context: Context) => Promise<unknown>) => Promise<void>,
  load: () => Promise<(context: Context, ...args: Args) => Promise<unknown>>,
): (this: Command, ...args: Args) => Promise<void> {
  return function act(...args) {
    return run(this, async (context) => (await load())(context, ...args));
  };
}

/** Wraps the function of a command that reads the log. The wrapper throws OperatorError if the log does not exist. */
export function withLog<Args extends readonly unknown[]>(
  work: (context: CommandContext, ...args: Args) => Promise<unknown>,
): typeof work {
  return async (context, ...args) => {
    const { requireLog } = await import('../require-log.ts');
    return work({ ...context, installation: await requireLog(context.installation) }, ...args);
  };
}

export function withExamples(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((example) => `  npm run annals -- ${example}`);
  return command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.join('\n')}`,
  );
}

export function toTime(text: string): Date {
  const moment = parseMoment(text, { isOfThisHost: true });
  if (moment !== undefined) return new Date(moment.at);
  throw new InvalidArgumentError(
    `It must be ${momentForms}; 2026-01-31T12:00 is in this machine's time zone.`,
  );
}

/** Validates an id or a name. Rejects empty text, which results from an unset shell variable. */
export function requireSomeText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** Validates `--from` and `--to`. Throws UsageError if the range is empty. */
export function refuseEmptyPeriod({ from, to }: Pick<VerifyWebhookOptions, 'from' | 'to'>): void {
  if (from !== undefined && to !== undefined && from >= to) {
    throw new UsageError('--from must be before --to.');
  }
}

/** Throws UsageError for options that require another option. */
export function refuseWithout(needed: string, options: Readonly<Record<string, unknown>>): void {
  const args = Object.keys(options).filter((name) => options[name] !== undefined);
  if (args.length === 0) return;
  throw new UsageError(`${args.join(', ')} can only be used with ${needed}.`);
}

export function toNumber({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  return (text: string): number => {
    const number = Number(text);
    if (text !== '' && Number.isInteger(number) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
  };
}

export function toPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== '' && percent > 0 && percent <= 100) return percent;
  throw new InvalidArgumentError('It must be a number above 0 and at most 100.');
}

/** Splits a comma-separated list, such as `a, b`. */
export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
