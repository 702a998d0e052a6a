import { pino } from 'pino';
import { expect } from 'vitest';
import {
  verifyWebhooks,
  type WebhookVerification,
} from '../../infra/cli/webhooks/verify-webhooks.ts';
import { topicNames } from '../../shared/kafka/topics.ts';

interface Place {
  /** With commas between them. */
  readonly brokers: string;
  readonly topicPrefix: string;
}

/** Every event that concerned a webhook was enqueued once for it, and every batch ended once, or still waits. */
export async function proveWebhookAccounts({
  brokers,
  topicPrefix,
}: Place): Promise<WebhookVerification> {
  const verification = await verifyWebhooks(
    {
      kafka: { brokers: brokers.split(','), clientId: 'webhook-accounts' },
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
