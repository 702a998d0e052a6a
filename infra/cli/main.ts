import { Argument, Command, InvalidArgumentError } from 'commander';
import { Unavailable } from '../../shared/domain/errors.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { CommandContext } from './command-context.ts';
import {
  type DeadLetterAction,
  type DeadLetterOptions,
  deadLetterActions,
  deadLetters,
} from './commands/dead-letters.ts';
import { rebuild } from './commands/rebuild.ts';
import { type ReceiveOptions, receive } from './commands/receive.ts';
import { type ReplayOptions, replay } from './commands/replay.ts';
import { status } from './commands/status.ts';
import { tail } from './commands/tail.ts';
import { verify } from './commands/verify.ts';
import { type VerifyWebhookOptions, verifyWebhookAccounts } from './commands/verify-webhooks.ts';
import { findInstallation } from './installation.ts';
import { createProgress } from './progress.ts';

const USAGE_ERROR = 2;

const standardOutput = { print: (line: string) => void process.stdout.write(`${line}\n`) };

/** Runs a command against the installation that the options and the environment name; sets the exit code. */
async function run(
  command: Command,
  work: (context: CommandContext) => Promise<number>,
): Promise<void> {
  const { json: isJson = false, dataDir } = command.opts<{ json?: boolean; dataDir?: string }>();
  try {
    const installation = await findInstallation(process.env, dataDir);
    process.exitCode = await work({
      installation,
      isJson,
      output: standardOutput,
      progress: (what) => createProgress(process.stderr, { what, isJson }),
    });
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof Unavailable)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'one JSON object as the result')
    .option(
      '--data-dir <path>',
      'data directory of a running npm start (ANNALS_DATA_DIR, .annals)',
    );
}

function toTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Not a time.');
  return time;
}

const toPort = numberUpTo(65_535);
const toStatus = numberUpTo(599);

function numberUpTo(max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (text !== '' && Number.isInteger(number) && number >= 0 && number <= max) return number;
    throw new InvalidArgumentError(`Not a number up to ${max}.`);
  };
}

const program = new Command('annals')
  .description("Operators' commands of Annals")
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : USAGE_ERROR);
  });

withCommonOptions(program.command('status'))
  .description('how far Postgres is behind the log, and which entries no table took')
  .addHelpText('after', '\nExample:\n  npm run annals -- status')
  .action((_options, command: Command) => run(command, status));

withCommonOptions(program.command('verify'))
  .description('fold the log anew and compare it with Postgres, row by row')
  .option('--webhooks', 'instead, balance the accounts of webhooks, from the topics alone')
  .option('--webhook <id>', 'only of this webhook')
  .option('--from <time>', 'only events since then', toTime)
  .option('--to <time>', 'only events before then', toTime)
  .addHelpText('after', '\nExample:\n  npm run annals -- verify --webhooks --json')
  .action((options: VerifyWebhookOptions & { webhooks?: boolean }, command: Command) =>
    run(command, (context) =>
      options.webhooks === true ? verifyWebhookAccounts(context, options) : verify(context),
    ),
  );

withCommonOptions(program.command('dead-letters'))
  .description('batches that were given up: list them, show, send or drop some')
  .addArgument(new Argument('<action>').choices(deadLetterActions))
  .argument('[ids...]', 'which ones, as list shows them')
  .option('--webhook <id>', 'those of this webhook')
  .option('--all', 'all of them')
  .addHelpText(
    'after',
    '\nExample:\n  npm run annals -- dead-letters send --webhook 0ca7a81001077281f',
  )
  .action(
    (
      action: DeadLetterAction,
      ids: readonly string[],
      options: DeadLetterOptions,
      command: Command,
    ) => run(command, (context) => deadLetters(context, { action, ids, ...options })),
  );

withCommonOptions(program.command('replay'))
  .description('send events of a past time to a webhook, through its filter')
  .requiredOption('--webhook <id>', 'the webhook')
  .option('--from <time>', 'events since then', toTime)
  .option('--to <time>', 'events before then', toTime)
  .option('--dry-run', 'only count them, and show samples')
  .option('--follow <replay>', 'show how far a replay is that runs already')
  .option('--cancel <replay>', 'cancel a replay')
  .addHelpText(
    'after',
    '\nExample:\n  npm run annals -- replay --webhook 0ca7a81001077281f --from 2026-01-31T12:00Z --to 2026-02-01T00:00Z --dry-run',
  )
  .action((options: ReplayOptions, command: Command) =>
    run(command, (context) => replay(context, options)),
  );

program
  .command('receive')
  .description('a receiver to try webhooks with: verifies and prints what comes')
  .option('--port <number>', 'on 127.0.0.1; 0 takes a free one', toPort, 9000)
  .option('--secret <text>', 'secretKey or standardSecret of the webhook')
  .option('--status <number>', 'what to answer', toStatus, 200)
  .option('--json', 'one JSON object per request')
  .addHelpText('after', '\nExample:\n  npm run annals -- receive --port 9000 --secret 9f…')
  .action(async ({ json = false, ...options }: ReceiveOptions & { json?: boolean }) => {
    await receive(options, { isJson: json, output: standardOutput });
  });

withCommonOptions(program.command('rebuild'))
  .description('rebuild the read model from the log, beside the live one, and switch to it')
  .option('--from-nothing', 'also when there is no live read model (it is found out anyway)')
  .option('--rollback', 'switch back to the former read model, brought up to date first')
  .option('--drop-old', 'only drop former read models')
  .addHelpText(
    'after',
    '\nExample:\n  npm run annals -- rebuild\n  npm run annals -- rebuild --rollback',
  )
  .action((options: { rollback?: boolean; dropOld?: boolean }, command: Command) =>
    run(command, (context) => rebuild(context, options)),
  );

withCommonOptions(program.command('tail'))
  .description('show events of records as they come')
  .option('--entity <type>', 'only of this entity type')
  .option('--id <id>', 'only of this record')
  .option('--user <id>', 'only by this user')
  .option('--type <type>', 'created, updated or deleted')
  .option('--from <time>', 'events since then, for example 2026-01-31T12:00Z', toTime)
  .option('--no-follow', 'end at the end of the log')
  .addHelpText('after', '\nExample:\n  npm run annals -- tail --entity Account --no-follow')
  .action((options: Parameters<typeof tail>[1], command: Command) =>
    run(command, (context) => tail(context, options)),
  );

await program.parseAsync();
