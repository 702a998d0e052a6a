import { type Command, Option } from 'commander';
import type { CommandWork } from '../command-context.ts';
import type { VerifyOptions } from '../commands/verify.ts';
import type { VerifyWebhookOptions } from '../commands/verify-webhooks.ts';
import type { Runner } from '../runner.ts';
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

/** Read-only commands. */
export function defineHealthCommands(program: Command, { run }: Runner): void {
  defineCommand(program, 'status', 'status', 'status --json')
    .description('how far everything is behind the log, who does what, and what went wrong')
    .action(toAction(run, async () => withLog((await import('../commands/status.ts')).status)));

  defineCommand(program, 'doctor', 'doctor', 'doctor --json')
    .description('look for the usual faults, and name the remedy of each')
    .action(toAction(run, async () => (await import('../commands/doctor.ts')).doctor));

  defineCommand(program, 'settings', 'settings', 'settings --json')
    .description('the settings and versions that every process runs with, and where each is from')
    .action(toAction(run, async () => (await import('../commands/settings.ts')).settings));

  defineCommand(
    program,
    'verify',
    'verify',
    'verify --sample 5',
    'verify --since 2026-01-31T12:00Z',
    'verify --webhooks --from 2026-01-31T12:00Z --json',
  )
    .description('fold the log and compare it with Postgres, row by row')
    .addOption(
      new Option('--sample <percent>', 'compare only this share of the records')
        .argParser(toPercent)
        .conflicts('webhooks'),
    )
    .addOption(
      new Option('--since <time>', 'only entries since then, and the records that they changed')
        .argParser(toTime)
        .conflicts(['webhooks', 'sample']),
    )
    .option('--webhooks', 'instead, balance the ledgers of webhooks, from the topics alone')
    .option('--webhook <id>', 'with --webhooks: only of this one', requireSomeText)
    .option('--from <time>', 'with --webhooks: only events since then', toTime)
    .option('--to <time>', 'with --webhooks: only events before then', toTime)
    .action(
      (
        options: VerifyWebhookOptions & VerifyOptions & { webhooks?: boolean },
        command: Command,
      ) => {
        const { webhooks, webhook, from, to } = options;
        refuseEmptyPeriod(options);
        if (webhooks !== true) {
          refuseWithout('--webhooks', { '--webhook': webhook, '--from': from, '--to': to });
        }
        const work: CommandWork =
          webhooks === true
            ? async (context) => (await webhookLedgers()).verifyWebhookAccounts(context, options)
            : async (context) => (await import('../commands/verify.ts')).verify(context, options);
        return run(command, withLog(work));
      },
    );
}

const webhookLedgers = async () => import('../commands/verify-webhooks.ts');
