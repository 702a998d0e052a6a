import type { Directory } from '../directory/directory.ts';
import { settingType } from '../directory/setting-type.ts';

export const queueRunId = 'webhookQueueRun';

/** Grows with each request to process the webhook queue at once. */
export function queueRunsRequested(directory: Directory): number {
  return directory.record(settingType, queueRunId)?.version ?? 0;
}
