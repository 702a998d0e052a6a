import type { Command } from 'commander';
import { doctor } from '../commands/doctor.ts';
import { status } from '../commands/status.ts';
import { verify } from '../commands/verify.ts';
import { type VerifyWebhookOptions, verifyWebhookAccounts } from '../commands/verify-webhooks.ts';
import { withLog } from '../require-log.ts';
import type { Runner } from '../runner.ts';
import { toTime, withCommonOptions, withExamples } from './common-options.ts';

/** What only looks. */
export function defineHealthCommands(program: Command, { run }: Runner): void {
  withExamples(withCommonOptions(program.command('status')), 'status', 'status --json')
    .description('how far everything is behind the log, who does what, and what went wrong')
    .action((_options, command: Command) => run(command, withLog(status)));

  withExamples(withCommonOptions(program.command('doctor')), 'doctor', 'doctor --json')
    .description('look for the usual faults, and name the remedy of each')
    .action((_options, command: Command) => run(command, doctor));

  withExamples(
    withCommonOptions(program.command('verify')),
    'verify',
    'verify --webhooks --from 2026-01-31T12:00Z --json',
  )
    .description('fold the log anew and compare it with Postgres, row by row')
    .option('--webhooks', 'instead, balance the accounts of webhooks, from the topics alone')
    .option('--webhook <id>', 'only of this webhook')
    .option('--from <time>', 'only events since then', toTime)
    .option('--to <time>', 'only events before then', toTime)
    .action((options: VerifyWebhookOptions & { webhooks?: boolean }, command: Command) =>
      run(
        command,
        withLog((context) =>
          options.webhooks === true ? verifyWebhookAccounts(context, options) : verify(context),
        ),
      ),
    );
}
