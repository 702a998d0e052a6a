import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** Throws OperatorError for an unknown webhook id: an empty result would look like a good one. */
export function requireKnownWebhook(directory: Pick<Directory, 'record'>, webhookId: string): void {
  if (directory.record('Webhook', webhookId) !== undefined) return;
  throw new OperatorError(`Webhook ${webhookId} has never existed.`);
}
