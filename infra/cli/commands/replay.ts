import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';

export type ReplayRequest = { readonly webhook: string } & (
  | { readonly kind: 'start'; readonly from: Date; readonly to: Date; readonly dryRun: boolean }
  | { readonly kind: 'follow' | 'resume' | 'cancel'; readonly id: string }
);

interface Replay {
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled' | 'stopped';
  /** The error code of a replay that has stopped. */
  readonly reason?: string;
  readonly dryRun: boolean;
  readonly events: number;
  readonly hidden: number;
  readonly batches: number;
  readonly read: number;
  readonly total: number;
  readonly samples?: readonly unknown[];
}

const POLL_INTERVAL_MS = 500;

/**
 * `annals replay`: requests a replay from the API and shows its progress. The replay continues if the command is
 * interrupted.
 */
export async function replay(context: CommandContext, request: ReplayRequest): Promise<number> {
  const { installation, printResult } = context;
  const root = `/Webhook/${encodeURIComponent(request.webhook)}`;
  const path = (id: string) => `${root}/replays/${encodeURIComponent(id)}`;
  if (request.kind === 'cancel') {
    await cancel(installation, path(request.id), request.id);
    printResult({ cancelled: request.id }, ['Cancelled.']);
    return 0;
  }
  if (request.kind === 'resume') {
    await callApi(installation, { method: 'POST', path: `${path(request.id)}/resume` });
  }
  const id =
    request.kind === 'start' ? await start(context, `${root}/replay`, request) : request.id;
  const found = await follow(context, path(id));
  printResult(found, toLines(found));
  return found.state === 'done' ? 0 : 1;
}

/** The API accepts the cancellation of a replay even if the replay has already ended. */
async function cancel(installation: Installation, path: string, id: string): Promise<void> {
  await callApi(installation, { method: 'DELETE', path });
  const { state } = (await callApi(installation, { method: 'GET', path })) as Replay;
  if (state === 'done') {
    throw new OperatorError(`Replay ${id} has already ended and cannot be cancelled.`);
  }
}

async function follow({ installation, progress }: CommandContext, path: string): Promise<Replay> {
  const shown = progress('Replaying');
  for (;;) {
    const found = (await callApi(installation, { method: 'GET', path })) as Replay;
    shown.update({ done: found.read, total: found.total });
    if (found.state !== 'running') {
      shown.finish();
      return found;
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

async function start(
  { installation }: CommandContext,
  path: string,
  { from, to, dryRun }: ReplayRequest & { readonly kind: 'start' },
): Promise<string> {
  const body = { from: from.toISOString(), to: to.toISOString(), dryRun };
  const { id } = (await callApi(installation, { method: 'POST', path, body })) as Replay;
  return id;
}

function toLines(found: Replay): readonly string[] {
  const { id, state, reason, dryRun, events, hidden, batches, samples = [] } = found;
  const is = reason === undefined ? state : `${state} (${reason})`;
  const more =
    hidden === 0 ? '' : ` ${counted(hidden, 'more event')} hidden from the webhook's user.`;
  const what = dryRun ? 'would be sent' : 'enqueued';
  return [
    `Replay ${id} is ${is}: ${counted(events, 'event')} in ${counted(batches, 'batch')} ${what}.${more}`,
    ...samples.map((sample) => JSON.stringify(sample)),
  ];
}
