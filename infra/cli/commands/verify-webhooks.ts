import type { CommandContext } from '../command-context.ts';
import type { WebhookAccount } from '../webhooks/account.ts';
import { verifyWebhooks } from '../webhooks/verify-webhooks.ts';

export interface VerifyWebhookOptions {
  readonly webhook?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** `annals verify --webhooks`: the exit code is 1 if an account does not balance. */
export async function verifyWebhookAccounts(
  { installation, isJson, output, progress }: CommandContext,
  { webhook, from, to }: VerifyWebhookOptions,
): Promise<number> {
  const shown = progress('Matching');
  const result = await verifyWebhooks(installation, {
    webhook,
    from: from?.getTime(),
    to: to?.getTime(),
    onProgress: shown.update,
  });
  shown.finish();
  if (isJson) output.print(JSON.stringify(result));
  else for (const line of toLines(result.webhooks)) output.print(line);
  return result.isClean ? 0 : 1;
}

function toLines(accounts: readonly WebhookAccount[]): readonly string[] {
  const lines = accounts.flatMap((account) => [
    toLine(account),
    ...account.problems.map((problem) => `  ${problem}`),
  ]);
  const problems = accounts.reduce((sum, account) => sum + account.problems.length, 0);
  const judgement = problems === 0 ? 'Every account balances' : `${problems} problems`;
  return [...lines, `${judgement}: ${accounts.length} webhooks.`];
}

function toLine(account: WebhookAccount): string {
  const { webhookId, event, matched, enqueued, waitingInLog, delivered, dead, waiting } = account;
  const dropped = Object.entries(account.dropped).map(
    ([reason, count]) => `, ${count} dropped (${reason})`,
  );
  const first = `${matched ?? '?'} matched = ${enqueued} enqueued + ${waitingInLog} in the log`;
  const second = `${delivered} delivered, ${dead} dead${dropped.join('')}, ${waiting} waiting`;
  const replayed = account.replayed > 0 ? `; ${account.replayed} of them by replays` : '';
  return `${webhookId} ${event}: ${first}; ${second}${replayed}`;
}
