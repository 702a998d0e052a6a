import { readOpenPlaces } from '../../../services/dispatcher/deliver/progress/load-progress.ts';
import { matchEvent } from '../../../services/dispatcher/match/match-event.ts';
import type { Observed } from '../../../services/operations/installation/observed.ts';
import {
  type BalanceOptions,
  balanceWebhooks,
  type WebhookVerification,
} from '../../../services/operations/webhooks/balance-webhooks.ts';

/** Balances the ledgers of webhooks by the rules of this version's dispatcher. */
export async function verifyWebhooks(
  installation: Pick<Observed, 'kafka' | 'topics' | 'topicPrefix' | 'log'>,
  options: BalanceOptions,
): Promise<WebhookVerification> {
  return balanceWebhooks(installation, { match: matchEvent, readOpenPlaces }, options);
}
