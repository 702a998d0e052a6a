import { setTimeout as sleep } from 'node:timers/promises';
import { describeProgramFailure } from '../operator-error.ts';
import type { RunningChild } from './spawn-child.ts';

/** Waits for a server that was started. Throws OperatorError if it ends, or takes too long and is stopped. */
export async function untilAnswering(
  server: RunningChild,
  start: {
    readonly name: string;
    readonly isAnswering: () => Promise<boolean>;
    readonly timeoutMs: number;
    readonly pollIntervalMs: number;
    readonly dataDir: string;
    readonly logFile: string;
  },
): Promise<void> {
  const { name, timeoutMs } = start;
  const deadline = Date.now() + timeoutMs;
  while (!(await start.isAnswering())) {
    if (server.hasExited()) throw describeProgramFailure(`Starting ${name}`, start);
    if (Date.now() > deadline) {
      await server.stop();
      throw describeProgramFailure(`Starting ${name} within ${timeoutMs / 1000} s`, start);
    }
    await sleep(start.pollIntervalMs);
  }
}
