import { followDirectory } from '../../shared/directory/directory-follower.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

/** Reads the directory topic up to its current end. */
export async function readDirectory({ kafka, topics, log }: Installation): Promise<Directory> {
  const follower = followDirectory(kafka, topics.directory, log);
  try {
    await follower.catchUp();
    return follower.directory;
  } finally {
    await follower.close();
  }
}

/** Throws OperatorError for an unknown webhook id, because an empty result would suggest that nothing is wrong. */
export function requireKnownWebhook(directory: Directory, webhookId: string): void {
  if (directory.record('Webhook', webhookId) !== undefined) return;
  throw new OperatorError(`Webhook ${webhookId} has never existed.`);
}
