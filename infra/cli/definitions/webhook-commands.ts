import { Argument, type Command } from 'commander';
import {
  type DeadLetterAction,
  type DeadLetterOptions,
  deadLetterActions,
  deadLetters,
} from '../commands/dead-letters.ts';
import { type ReceiveOptions, receive } from '../commands/receive.ts';
import { type ReplayOptions, replay } from '../commands/replay.ts';
import { runQueue } from '../commands/run-queue.ts';
import { withLog } from '../require-log.ts';
import type { Runner } from '../runner.ts';
import { toNumber, toTime, withCommonOptions, withExamples, withYes } from './common-options.ts';

export function defineWebhookCommands(program: Command, { run, runAlone }: Runner): void {
  withExamples(
    withYes(withCommonOptions(program.command('dead-letters'))),
    'dead-letters list',
    'dead-letters send --webhook 0ca7a81001077281f',
    'dead-letters drop --all --yes',
  )
    .description('batches that were given up: list them, show, send or drop some')
    .addArgument(new Argument('<action>').choices(deadLetterActions))
    .argument('[ids...]', 'which ones, as list shows them')
    .option('--webhook <id>', 'those of this webhook')
    .option('--all', 'all of them')
    .action(
      (
        action: DeadLetterAction,
        ids: readonly string[],
        options: DeadLetterOptions,
        command: Command,
      ) =>
        run(
          command,
          withLog((context) => deadLetters(context, { action, ids, ...options })),
        ),
    );

  withExamples(
    withCommonOptions(program.command('replay')),
    'replay --webhook 0ca7a81001077281f --from 2026-01-31T12:00Z --to 2026-02-01T00:00Z --dry-run',
  )
    .description('send events of a past time to a webhook, through its filter')
    .requiredOption('--webhook <id>', 'the webhook')
    .option('--from <time>', 'events since then', toTime)
    .option('--to <time>', 'events before then', toTime)
    .option('--dry-run', 'only count them, and show samples')
    .option('--follow <replay>', 'show how far a replay is that runs already')
    .option('--cancel <replay>', 'cancel a replay')
    .option('--resume <replay>', 'go on with one that was cancelled')
    .action((options: ReplayOptions, command: Command) =>
      run(command, (context) => replay(context, options)),
    );

  withExamples(withCommonOptions(program.command('run-queue')), 'run-queue')
    .description('send what waits for webhooks now, without waiting for the next run')
    .action((_, command: Command) => run(command, runQueue));

  withExamples(program.command('receive'), 'receive --port 9000 --secret 9f…')
    .description('a receiver to try webhooks with: verifies and prints what comes')
    .option('--port <number>', 'on 127.0.0.1; 0 takes a free one', toNumber({ max: 65_535 }), 9000)
    .option('--secret <text>', 'secretKey or standardSecret of the webhook')
    .option('--status <number>', 'what to answer', toNumber({ min: 200, max: 599 }), 200)
    .option('--json', 'one JSON object per request')
    .action((options: ReceiveOptions, command: Command) =>
      runAlone(command, (context) => receive(options, context)),
    );
}
