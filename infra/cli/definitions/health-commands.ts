import { type Command, Option } from 'commander';
import type { CommandWork, Runner } from '../command-context.ts';
import type { VerifyOptions } from '../commands/verify.ts';
import type { VerifyWebhookOptions } from '../commands/verify-webhooks.ts';
import {
  defineCommand,
  refuseEmptyPeriod,
  refuseWithout,
  requireSomeText,
  toAction,
  toPercent,
  toTime,
  withLog,
} from './common-options.ts';

/** Defines the commands that show the state of an installation without changing it. */
export function defineHealthCommands(program: Command, { run }: Runner): void {
  defineCommand(program, 'status', 'status', 'status --json')
    .description('show lags behind the log, assignments and failures')
    .action(toAction(run, async () => withLog((await import('../commands/status.ts')).status)));

  defineCommand(program, 'doctor', 'doctor', 'doctor --json')
    .description('check for common faults, and show their remedies')
    .action(toAction(run, async () => (await import('../commands/doctor.ts')).doctor));

  defineCommand(program, 'settings', 'settings', 'settings --json')
    .description('show the settings and versions of every process, and the source of each setting')
    .action(toAction(run, async () => (await import('../commands/settings.ts')).settings));

  defineCommand(
    program,
    'verify',
    'verify',
    'verify --sample 5',
    'verify --since 2026-01-31T12:00Z',
    'verify --files',
    'verify --webhooks --from 2026-01-31T12:00Z --json',
  )
    .description('fold the log and compare it with Postgres, row by row')
    .addOption(
      new Option('--sample <percent>', 'compare only this share of the records')
        .argParser(toPercent)
        .conflicts('webhooks'),
    )
    .addOption(
      new Option(
        '--since <time>',
        'compare only entries since this time, and the records that they changed',
      )
        .argParser(toTime)
        .conflicts(['webhooks', 'sample']),
    )
    .addOption(
      new Option(
        '--files',
        'instead, read the bytes of all files, and compare them with their hashes',
      ).conflicts(['webhooks', 'sample', 'since']),
    )
    .option('--webhooks', 'instead, balance the ledgers of webhooks, using only the topics')
    .option('--webhook <id>', 'with --webhooks: only this webhook', requireSomeText)
    .option('--from <time>', 'with --webhooks: only events since this time', toTime)
    .option('--to <time>', 'with --webhooks: only events before this time', toTime)
    .action((options: VerificationOptions, command: Command) => {
      const { webhooks, webhook, from, to } = options;
      refuseEmptyPeriod(options);
      if (webhooks !== true) {
        refuseWithout('--webhooks', { '--webhook': webhook, '--from': from, '--to': to });
      }
      return run(command, withLog(toVerification(options)));
    });
}

type VerificationOptions = VerifyWebhookOptions &
  VerifyOptions & { readonly webhooks?: boolean; readonly files?: boolean };

function toVerification(options: VerificationOptions): CommandWork {
  if (options.files === true)
    return async (context) => (await import('../commands/files.ts')).verifyFileBytes(context);
  return options.webhooks === true
    ? async (context) => (await webhookLedgers()).verifyWebhookLedgers(context, options)
    : async (context) => (await import('../commands/verify.ts')).verify(context, options);
}

const webhookLedgers = async () => import('../commands/verify-webhooks.ts');
