import { setTimeout as sleep } from 'node:timers/promises';
import { StoppingError } from '../processes/child-registry.ts';
import { describeExit, type RunningChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';

export interface KeptPart {
  readonly name: string;
  readonly process: RunningChild;
  startAgain(): Promise<RunningChild>;
  /** Called with the pid of every new process. */
  onStarted(pid: number): Promise<void>;
  /** Its last errors before it ended, for the terminal. */
  lastErrors?(): readonly string[];
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** A process that ends after running this long does not count as a consecutive failure. */
export const STEADY_AFTER_MS = 30_000;

/**
 * running → ended → waiting → restarted → running …, until everything stops.
 *
 * Exponential backoff, reset after a stable run.
 */
export async function keepRunning(
  part: KeptPart,
  deps: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<void> {
  const { terminal, isStopping } = deps;
  let { process } = part;
  let failures = 0;
  for (;;) {
    const startedAt = Date.now();
    const exit = await process.exited;
    if (isStopping()) return;
    failures = Date.now() - startedAt > STEADY_AFTER_MS ? 1 : failures + 1;
    for (const line of part.lastErrors?.() ?? []) terminal.warn(`  ${line}`);
    terminal.warn(`${part.name} ended (${describeExit(exit)}) and is being started again`);
    const next = await startUntilItRuns(part, failures, deps);
    if (next === undefined) return;
    process = next;
    terminal.print(`${part.name} runs again (process ${process.pid})`);
    await part.onStarted(process.pid);
  }
}

/** Returns the delay before a restart after this many consecutive failures. */
export function restartDelayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.max(failures - 1, 0), MAX_DELAY_MS);
}

async function startUntilItRuns(
  part: KeptPart,
  failuresBefore: number,
  deps: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<RunningChild | undefined> {
  for (let failures = failuresBefore; ; failures += 1) {
    await sleep(restartDelayMs(failures));
    if (deps.isStopping()) return undefined;
    try {
      return await part.startAgain();
    } catch (error) {
      if (error instanceof StoppingError || deps.isStopping()) return undefined;
      deps.terminal.warn(
        `${part.name} could not be started: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
