import type { Directory } from '../directory/directory.ts';
import { settingType } from '../directory/setting-type.ts';

export const queueRunId = 'webhookQueueRun';

/** Increases with each request to process the webhook queue immediately. */
export function queueRunsRequested(directory: Directory): number {
  return directory.record(settingType, queueRunId)?.version ?? 0;
}
