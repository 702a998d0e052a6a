import type { Directory } from '../directory/directory.ts';

/** Entity type of operator settings in the directory log. */
export const settingType = 'Setting';
export const queueRunId = 'webhookQueueRun';

/** Grows with each request to process the webhook queue at once. */
export function queueRunsRequested(directory: Directory): number {
  return directory.record(settingType, queueRunId)?.version ?? 0;
}
