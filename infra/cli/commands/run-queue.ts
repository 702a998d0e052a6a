import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';

/** `annals run-queue`: runs the scheduled job now, within the limits of a run. */
export async function runQueue({ installation, printResult }: CommandContext): Promise<void> {
  await callApi(installation, { method: 'POST', path: '/Webhook/action/processQueue' });
  printResult({ asked: true }, [`${webhookJobName} runs now.`]);
}
