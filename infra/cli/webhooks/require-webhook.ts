import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** Throws OperatorError for an id that no webhook ever had: to find nothing of it would look like good news. */
export function requireKnownWebhook(
  directory: Pick<Directory, 'record'>,
  webhookId: string | undefined,
): void {
  if (webhookId === undefined || directory.record('Webhook', webhookId) !== undefined) return;
  throw new OperatorError(`There is no webhook ${webhookId}, and there never was.`);
}
