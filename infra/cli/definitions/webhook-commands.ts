import { type Command, Option } from 'commander';
import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import type { Runner } from '../command-context.ts';
import type { DeadLetterAction, DeadLetterOptions } from '../commands/dead-letters.ts';
import type { ReplayRequest } from '../commands/replay.ts';
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
    .description(`run the scheduled job ${webhookJobName} now, which sends waiting events`)
    .action((_options: unknown, command: Command) =>
      run(command, async ({ installation, printResult }) => {
        const { callApi } = await import('../call-api.ts');
        await callApi(installation, { method: 'POST', path: '/Webhook/action/processQueue' });
        printResult({ asked: true }, [`${webhookJobName} runs now.`]);
      }),
    );

  withExamples(program.command('receive'), 'receive --port 9000 --secret 9f…')
    .description('run a receiver for trying out webhooks, which verifies and prints requests')
    .option(
      '--port <number>',
      'port on 127.0.0.1; 0 chooses a free one',
      toNumber({ max: 65_535 }),
      9000,
    )
    .option('--secret <text>', 'secretKey or standardSecret of the webhook', requireSomeText)
    .option('--status <number>', 'status to respond with', toNumber({ min: 200, max: 599 }), 200)
    .option('--json', 'one JSON object per request, a line each')
    .action(toAction(runAlone, async () => (await import('../commands/receive.ts')).receive));
}

function defineDeadLetters(program: Command, { run }: Runner): void {
  const letters = program
    .command('dead-letters')
    .description('abandoned batches: list, show, send, drop');

  defineCommand(letters, 'list', 'dead-letters list')
    .description('list batches that have been neither sent again nor dropped')
    .option('--webhook <id>', 'only batches of this webhook', requireSomeText)
    .action(toAction(run, async () => withLog((await deadLetterCommands()).listDeadLetters)));

  const define = (action: DeadLetterAction, example: string): Command =>
    defineCommand(letters, action, example)
      .argument('[ids...]', 'ids, as printed by list')
      .option('--webhook <id>', 'only batches of this webhook', requireSomeText)
      .option('--all', 'all dead letters')
      .action((ids: readonly string[], options: DeadLetterOptions, command: Command) => {
        refuseUnclearChoice(ids, options);
        return run(
          command,
          withLog(async (context) =>
            (await deadLetterCommands()).takeDeadLetters(context, { action, ids, ...options }),
          ),
        );
      });

  define('show', 'dead-letters show --webhook 0ca7a81001077281f').description(
    'show them with their bodies',
  );
  define('send', 'dead-letters send --webhook 0ca7a81001077281f').description(
    'send them again, under their ids',
  );
  withYes(define('drop', 'dead-letters drop --all --yes')).description(
    'abandon them permanently; they count as dropped',
  );
}

function refuseUnclearChoice(ids: readonly string[], { all, webhook }: DeadLetterOptions): void {
  if (ids.length > 0 && all === true) {
    throw new UsageError('Specify ids of dead letters or --all, not both.');
  }
  if (ids.length === 0 && all !== true && webhook === undefined) {
    throw new UsageError('Specify ids of dead letters, --all or --webhook.');
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
    .description('send events of a past period that match a webhook to it')
    .requiredOption('--webhook <id>', 'the webhook', requireSomeText)
    .option('--from <time>', 'events since this time', toTime)
    .option('--to <time>', 'events before this time', toTime)
    .option('--dry-run', 'only count them, and show samples')
    .option(
      '--follow [replay]',
      'show the progress until it ends (the default), or of a running replay by its id',
      requireSomeText,
    )
    .addOption(about('--resume <replay>', 'instead, resume a cancelled replay', 'cancel'))
    .addOption(about('--cancel <replay>', 'instead, cancel a replay', 'resume'))
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
    refuseCombined(`--follow ${follow}`, options);
    return { webhook, kind: 'follow', id: follow };
  }
  if (follow === true && cancel !== undefined) {
    throw new UsageError('--follow and --cancel cannot be combined.');
  }
  if (resume !== undefined) return { webhook, kind: 'resume', id: resume };
  if (cancel !== undefined) return { webhook, kind: 'cancel', id: cancel };
  if (from === undefined || to === undefined) {
    const known = follow === true ? ', or the id of a replay: --follow <replay>.' : '.';
    throw new UsageError(`Specify the period with --from and --to${known}`);
  }
  refuseEmptyPeriod(options);
  return { webhook, kind: 'start', from, to, dryRun };
}

/** Throws UsageError for options that do not apply to a running replay. */
function refuseCombined(option: string, options: ReplayOptions): void {
  const others = (['from', 'to', 'dryRun', 'resume', 'cancel'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (others.length === 0) return;
  const named = others.map((name) => (name === 'dryRun' ? '--dry-run' : `--${name}`));
  throw new UsageError(`${option} cannot be used with ${named.join(', ')}.`);
}
