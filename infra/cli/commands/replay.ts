import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';
import { UsageError } from '../usage-error.ts';

export interface ReplayOptions {
  readonly webhook: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly dryRun?: boolean;
  readonly cancel?: string;
  readonly resume?: string;
  readonly follow?: string;
}

interface Replay {
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly dryRun: boolean;
  readonly events: number;
  readonly batches: number;
  readonly read: number;
  readonly total: number;
  readonly samples?: readonly unknown[];
}

const LOOK_AGAIN_MS = 500;

/** `annals replay`: asks the API for it and shows how far it is. Ended early, the replay itself goes on. */
export async function replay(context: CommandContext, options: ReplayOptions): Promise<number> {
  const { installation, isJson, output } = context;
  const root = `/Webhook/${encodeURIComponent(options.webhook)}`;
  const path = (id: string) => `${root}/replays/${encodeURIComponent(id)}`;
  if (options.cancel !== undefined) {
    await callApi(installation, { method: 'DELETE', path: path(options.cancel) });
    output.print(isJson ? JSON.stringify({ cancelled: options.cancel }) : 'Cancelled.');
    return 0;
  }
  if (options.resume !== undefined) {
    await callApi(installation, { method: 'POST', path: `${path(options.resume)}/resume` });
  }
  const running = options.follow ?? options.resume;
  const id = running ?? (await start(context, `${root}/replay`, options));
  const found = await follow(context, path(id));
  for (const line of toLines(found, isJson)) output.print(line);
  return found.state === 'done' ? 0 : 1;
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
    await sleep(LOOK_AGAIN_MS);
  }
}

async function start(
  { installation }: CommandContext,
  path: string,
  { from, to, dryRun = false }: ReplayOptions,
): Promise<string> {
  if (from === undefined || to === undefined) {
    throw new UsageError('Say with --from and --to which time is to be replayed.');
  }
  const body = { from: from.toISOString(), to: to.toISOString(), dryRun };
  const { id } = (await callApi(installation, { method: 'POST', path, body })) as Replay;
  return id;
}

function toLines(found: Replay, isJson: boolean): readonly string[] {
  if (isJson) return [JSON.stringify(found)];
  const { id, state, dryRun, events, batches, samples = [] } = found;
  const what = dryRun ? 'would go out' : 'enqueued';
  return [
    `Replay ${id} is ${state}: ${events} events in ${batches} batches ${what}.`,
    ...samples.map((sample) => JSON.stringify(sample)),
  ];
}
