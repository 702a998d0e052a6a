import { pino } from 'pino';
import { expect } from 'vitest';
import { verifyWebhooks } from '../../../infra/cli/commands/verify-webhooks.ts';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import type { WebhookVerification } from '../../../services/query/webhooks/ledger/balance-webhooks.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';

interface Place {
  readonly kafka: KafkaAccess;
  readonly topicPrefix: string;
}

/**
 * Checks that each matching event was enqueued once per webhook, and that each batch ended once or still
 * waits.
 */
export async function proveWebhookLedgers({
  kafka,
  topicPrefix,
}: Place): Promise<WebhookVerification> {
  const verification = await verifyWebhooks(
    {
      kafka: toKafkaAddress(kafka, 'webhook-ledgers'),
      topics: topicNames(topicPrefix),
      topicPrefix,
      log: pino({ level: 'silent' }),
    },
    {},
  );
  expect(verification.webhooks.flatMap(({ problems }) => problems)).toEqual([]);
  expect(verification.isClean).toBe(true);
  return verification;
}
