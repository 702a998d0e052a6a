import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';

/** `annals run-queue`: what waits for webhooks goes out now, as far as the limits of a run let it. */
export async function runQueue({ installation, isJson, output }: CommandContext): Promise<number> {
  await callApi(installation, { method: 'POST', path: '/Webhook/action/processQueue' });
  output.print(isJson ? JSON.stringify({ asked: true }) : 'The webhook queue runs now.');
  return 0;
}
