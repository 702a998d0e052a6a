import { type Directory, settingType } from './directory.ts';

/** The scheduled job that sends webhooks, as named in the API, the CLI and the console. */
export const webhookJobName = 'Process Webhook Queue';

export const queueRunId = 'webhookQueueRun';

/** Increases with each request to process the webhook queue immediately. */
export function queueRunsRequested(directory: Directory): number {
  return directory.record(settingType, queueRunId)?.version ?? 0;
}
