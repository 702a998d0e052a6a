import { setTimeout as sleep } from 'node:timers/promises';
import { StoppingError } from '../processes/child-registry.ts';
import { type ChildExit, describeExit, type RunningChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';

export interface KeptPart {
  readonly name: string;
  readonly process: RunningChild;
  startAgain(): Promise<RunningChild>;
  /** Called with the pid of every new process. */
  onStarted(pid: number): Promise<void>;
  /** Returns the last errors before the exit, for the terminal. */
  lastErrors?(): readonly string[];
  /** For a service of `npm run dev`: resolves when its sources change. */
  untilChange?: (() => Promise<unknown>) | undefined;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** An exit after running for this long does not count as a consecutive failure. */
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
    const exit = await untilEnd(part, process);
    if (isStopping()) return;
    if (exit === undefined || Date.now() - startedAt > STEADY_AFTER_MS) failures = 0;
    if (exit !== undefined) failures += 1;
    reportEnd(part, exit, terminal);
    const next = await startUntilItRuns(part, failures, deps);
    if (next === undefined) return;
    process = next;
    terminal.print(`${part.name} runs again (process ${process.pid})`);
    await part.onStarted(process.pid);
  }
}

/** Returns undefined after stopping the process because its sources have changed. */
async function untilEnd(part: KeptPart, process: RunningChild): Promise<ChildExit | undefined> {
  const isChanged = await Promise.race([process.exited.then(() => false), untilChange(part)]);
  if (!isChanged) return process.exited;
  await process.stop();
  return undefined;
}

function reportEnd(part: KeptPart, exit: ChildExit | undefined, terminal: Terminal): void {
  if (exit === undefined) {
    terminal.print(`The sources of ${part.name} have changed: it is being started again`);
    return;
  }
  for (const line of part.lastErrors?.() ?? []) terminal.warn(`  ${line}`);
  terminal.warn(`${part.name} ended (${describeExit(exit)}) and is being started again`);
}

/** Returns the delay before a restart after this many consecutive failures. */
export function restartDelayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
}

/** Resolves when the sources change; never in `npm start`. */
async function untilChange(part: KeptPart): Promise<boolean> {
  return part.untilChange === undefined
    ? new Promise(() => {})
    : part.untilChange().then(() => true);
}

async function startUntilItRuns(
  part: KeptPart,
  failuresBefore: number,
  deps: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<RunningChild | undefined> {
  for (let failures = failuresBefore; ; failures += 1) {
    await Promise.race([sleep(restartDelayMs(failures)), untilChange(part)]);
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
