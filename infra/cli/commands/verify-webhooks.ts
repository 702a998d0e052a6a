import { readOpenPlaces } from '../../../services/dispatcher/deliver/progress/load-progress.ts';
import {
  type BalanceOptions,
  balanceWebhooks,
  type WebhookVerification,
} from '../../../services/query/webhooks/ledger/balance-webhooks.ts';
import type { WebhookLedger } from '../../../services/query/webhooks/ledger/webhook-ledger.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { matchEvent } from '../../../shared/domain/match/match-event.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { withUrl } from '../../../shared/installation/webhook-name.ts';
import type { CommandContext } from '../command-context.ts';
import { readDirectory, requireKnownWebhook } from '../read-directory.ts';

export interface VerifyWebhookOptions {
  readonly webhook?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** `annals verify --webhooks`: the exit code is 1 if a ledger does not balance. */
export async function verifyWebhookLedgers(
  { installation, printResult, progress }: CommandContext,
  { webhook, from, to }: VerifyWebhookOptions,
): Promise<number> {
  if (webhook !== undefined) requireKnownWebhook(await readDirectory(installation), webhook);
  const shown = progress('Matching');
  const result = await verifyWebhooks(installation, {
    webhook,
    from: from?.getTime(),
    to: to?.getTime(),
    onProgress: shown.update,
  });
  shown.finish();
  printResult(result, toLines(result.webhooks));
  return result.isClean ? 0 : 1;
}

/** Balances the ledgers of webhooks by the rules of this version's dispatcher. */
export async function verifyWebhooks(
  installation: Pick<Observed, 'kafka' | 'topics' | 'topicPrefix' | 'log'>,
  options: BalanceOptions,
): Promise<WebhookVerification> {
  return balanceWebhooks(installation, { match: matchEvent, readOpenPlaces }, options);
}

function toLines(ledgers: readonly WebhookLedger[]): readonly string[] {
  const lines = ledgers.flatMap((ledger) => [
    toLine(ledger),
    ...ledger.problems.map((problem) => `  ${problem}`),
  ]);
  const problems = ledgers.reduce((sum, ledger) => sum + ledger.problems.length, 0);
  const summary = problems === 0 ? 'All ledgers balance' : counted(problems, 'problem');
  return [...lines, `${summary}: ${counted(ledgers.length, 'webhook')}.`];
}

function toLine(ledger: WebhookLedger): string {
  const { webhookId, url, event, matched, enqueued, waitingInLog, delivered, dead, waiting } =
    ledger;
  const dropped = Object.entries(ledger.dropped).map(
    ([reason, count]) => `, ${count} dropped (${reason})`,
  );
  const first = `${matched ?? '?'} matched = ${enqueued} enqueued + ${waitingInLog} in the log`;
  const second = `${delivered} delivered, ${dead} dead${dropped.join('')}, ${waiting} waiting`;
  const replayed = ledger.replayed > 0 ? `; ${ledger.replayed} of them by replays` : '';
  return `${withUrl(webhookId, url)} ${event}: ${first}; ${second}${replayed}`;
}
