import { setTimeout as sleep } from 'node:timers/promises';
import type { LogInspection } from '../../../shared/installation/inspect-log.ts';
import { markLog } from '../../../shared/installation/mark-log.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { Installation } from '../installation.ts';

/** Services look at the mark every two seconds; an append that is under way takes at most five. */
const SETTLED_AFTER_MS = 8_000;

/**
 * Makes all services refuse the log, and waits until none of them writes. Where the mark is gone they refuse it already.
 */
export async function stopServices(
  { installation, kafka }: { readonly installation: Installation; readonly kafka: KafkaConnection },
  { findings: { log, mark } }: LogInspection,
): Promise<void> {
  const { topics } = installation;
  if (mark !== undefined && log.topics.has(topics.installation)) {
    await markLog({ ...installation, connection: kafka }, { ...mark, isBeingReplaced: true });
  }
  await sleep(SETTLED_AFTER_MS);
}
