import { readOpenPlaces } from '../../../services/dispatcher/deliver/progress/load-progress.ts';
import {
  type BalanceOptions,
  balanceWebhooks,
  type WebhookVerification,
} from '../../../services/query/webhooks/ledger/balance-webhooks.ts';
import { matchEvent } from '../../../shared/domain/match/match-event.ts';
import type { Observed } from '../../../shared/installation/observed.ts';

/** Balances the ledgers of webhooks by the rules of this version's dispatcher. */
export async function verifyWebhooks(
  installation: Pick<Observed, 'kafka' | 'topics' | 'topicPrefix' | 'log'>,
  options: BalanceOptions,
): Promise<WebhookVerification> {
  return balanceWebhooks(installation, { match: matchEvent, readOpenPlaces }, options);
}
