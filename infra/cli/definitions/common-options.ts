import { type Command, InvalidArgumentError } from 'commander';

export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'one JSON object as the result')
    .option(
      '--data-dir <path>',
      'data directory of a running npm start (ANNALS_DATA_DIR, .annals)',
    );
}

/** For what cannot be undone. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask');
}

export function withExamples(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((example) => `  npm run annals -- ${example}`);
  return command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.join('\n')}`,
  );
}

export function toTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Not a time.');
  return time;
}

export function toNumber({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  return (text: string): number => {
    const number = Number(text);
    if (text !== '' && Number.isInteger(number) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Not a number from ${min} to ${max}.`);
  };
}

/** `a, b` → a and b. */
export function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
