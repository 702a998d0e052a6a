import { setTimeout as sleep } from 'node:timers/promises';
import { type LogInspection, markLog } from '../../../shared/installation/inspect-log.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { Installation } from '../installation.ts';

/** Services check the mark every two seconds; a running append takes at most five. */
const SETTLED_AFTER_MS = 8_000;

/**
 * Makes all services reject the log, and waits until none of them is writing. If the mark is missing, they reject it
 * already.
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
