import { type Command, Option } from 'commander';
import { webhookJobName } from '../../../shared/domain/webhook/webhook-job.ts';
import type { DeadLetterAction, DeadLetterOptions } from '../commands/dead-letters.ts';
import type { ReplayRequest } from '../commands/replay.ts';
import type { Runner } from '../runner.ts';
import { UsageError } from '../usage-error.ts';
import {
  defineCommand,
  refuseEmptyPeriod,
  requireSomeText,
  toAction,
  toNumber,
  toTime,
  withExamples,
  withLog,
  withYes,
} from './common-options.ts';

const deadLetterCommands = async () => import('../commands/dead-letters.ts');

export function defineWebhookCommands(program: Command, runner: Runner): void {
  const { run, runAlone } = runner;
  defineDeadLetters(program, runner);
  defineReplay(program, runner);

  defineCommand(program, 'run-queue', 'run-queue')
    .description(
      `run the scheduled job ${webhookJobName} now: send the events that wait for webhooks`,
    )
    .action(toAction(run, async () => (await import('../commands/run-queue.ts')).runQueue));

  withExamples(program.command('receive'), 'receive --port 9000 --secret 9f…')
    .description('a receiver to try webhooks with: verifies and prints what comes')
    .option('--port <number>', 'on 127.0.0.1; 0 takes a free one', toNumber({ max: 65_535 }), 9000)
    .option('--secret <text>', 'secretKey or standardSecret of the webhook', requireSomeText)
    .option('--status <number>', 'what to answer', toNumber({ min: 200, max: 599 }), 200)
    .option('--json', 'one JSON object per request, a line each')
    .action(toAction(runAlone, async () => (await import('../commands/receive.ts')).receive));
}

function defineDeadLetters(program: Command, { run }: Runner): void {
  const letters = program
    .command('dead-letters')
    .description('batches that were given up: list, show, send, drop');
  // Kept for scripts: the action used to be an argument, which options could precede.
  for (const flags of ['--json', '--data-dir <path>', '--yes', '--all']) {
    letters.addOption(new Option(flags).hideHelp());
  }
  letters.addOption(new Option('--webhook <id>').argParser(requireSomeText).hideHelp());

  defineCommand(letters, 'list', 'dead-letters list')
    .description('those that were neither sent again nor dropped since')
    .option('--webhook <id>', 'those of this webhook', requireSomeText)
    // Accepted without effect, because all actions used to take the same options.
    .addOption(new Option('--all').hideHelp())
    .addOption(new Option('--yes').hideHelp())
    .action((_options, command: Command) => {
      const options = command.optsWithGlobals<DeadLetterOptions>();
      return run(
        command,
        withLog(async (context) => (await deadLetterCommands()).listDeadLetters(context, options)),
      );
    });

  const define = (action: DeadLetterAction, example: string): Command =>
    defineCommand(letters, action, example)
      .argument('[ids...]', 'which ones, as list shows them')
      .option('--webhook <id>', 'those of this webhook', requireSomeText)
      .option('--all', 'all of them')
      .action((ids: readonly string[], _options, command: Command) => {
        const options = command.optsWithGlobals<DeadLetterOptions>();
        refuseUnclearChoice(ids, options);
        return run(
          command,
          withLog(async (context) =>
            (await deadLetterCommands()).takeDeadLetters(context, { action, ids, ...options }),
          ),
        );
      });

  define('show', 'dead-letters show --webhook 0ca7a81001077281f')
    .description('show them with their bodies')
    .addOption(new Option('--yes').hideHelp());
  define('send', 'dead-letters send --webhook 0ca7a81001077281f')
    .description('send them again, under their ids')
    .addOption(new Option('--yes').hideHelp());
  withYes(define('drop', 'dead-letters drop --all --yes')).description(
    'give them up for good: they count as dropped',
  );
}

function refuseUnclearChoice(ids: readonly string[], { all, webhook }: DeadLetterOptions): void {
  if (ids.length > 0 && all === true) {
    throw new UsageError('Name dead letters by their ids or give --all, not both.');
  }
  if (ids.length === 0 && all !== true && webhook === undefined) {
    throw new UsageError('Name dead letters by their ids, or all of them with --all or --webhook.');
  }
}

interface ReplayOptions {
  readonly webhook: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly dryRun?: boolean;
  /** True if no id was given. */
  readonly follow?: string | true;
  readonly resume?: string;
  readonly cancel?: string;
}

function defineReplay(program: Command, { run }: Runner): void {
  const about = (flags: string, description: string, other: string): Option =>
    new Option(flags, description)
      .argParser(requireSomeText)
      .conflicts(['from', 'to', 'dryRun', other]);
  defineCommand(
    program,
    'replay',
    'replay --webhook 0ca7a81001077281f --from 2026-01-31T12:00Z --to 2026-02-01T00:00Z --dry-run',
    'replay --webhook 0ca7a81001077281f --from 2026-01-31 --to 2026-02-01 --follow',
    'replay --webhook 0ca7a81001077281f --follow 6920a1b2c3d4e5f60',
  )
    .description('send events of a past time to a webhook, through its filter')
    .requiredOption('--webhook <id>', 'the webhook', requireSomeText)
    .option('--from <time>', 'events since then', toTime)
    .option('--to <time>', 'events before then', toTime)
    .option('--dry-run', 'only count them, and show samples')
    .option(
      '--follow [replay]',
      'show how far it is until it ends, as is done anyway; or one that runs already, by its id',
      requireSomeText,
    )
    .addOption(about('--resume <replay>', 'instead, go on with one that was cancelled', 'cancel'))
    .addOption(about('--cancel <replay>', 'instead, cancel one', 'resume'))
    .action((options: ReplayOptions, command: Command) => {
      const request = toReplayRequest(options);
      return run(command, async (context) =>
        (await import('../commands/replay.ts')).replay(context, request),
      );
    });
}

function toReplayRequest(options: ReplayOptions): ReplayRequest {
  const { webhook, from, to, dryRun = false, follow, resume, cancel } = options;
  if (typeof follow === 'string') {
    refuseBeside(`--follow ${follow}`, options);
    return { webhook, kind: 'follow', id: follow };
  }
  if (follow === true && cancel !== undefined) {
    throw new UsageError('A replay is cancelled or followed, not both.');
  }
  if (resume !== undefined) return { webhook, kind: 'resume', id: resume };
  if (cancel !== undefined) return { webhook, kind: 'cancel', id: cancel };
  if (from === undefined || to === undefined) {
    const known = follow === true ? ', or name a replay: --follow <replay>.' : '.';
    throw new UsageError(`Say with --from and --to which time is to be replayed${known}`);
  }
  refuseEmptyPeriod(options);
  return { webhook, kind: 'start', from, to, dryRun };
}

/** These options cannot be combined with a running replay. */
function refuseBeside(asked: string, options: ReplayOptions): void {
  const others = (['from', 'to', 'dryRun', 'resume', 'cancel'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (others.length === 0) return;
  const named = others.map((name) => (name === 'dryRun' ? '--dry-run' : `--${name}`));
  throw new UsageError(`${asked} cannot be used with ${named.join(', ')}.`);
}
