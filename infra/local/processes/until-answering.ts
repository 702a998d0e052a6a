import { setTimeout as sleep } from 'node:timers/promises';
import { describeProgramFailure } from '../operator-error.ts';
import type { RunningChild } from './spawn-child.ts';

/**
 * Waits for a server that was started. Throws OperatorError if it ends, if it has given up and is killed, or if it takes
 * too long and is stopped.
 */
export async function untilAnswering(
  server: RunningChild,
  start: {
    readonly name: string;
    readonly isAnswering: () => Promise<boolean>;
    /** Of a server whose process may outlive its failure. */
    readonly hasGivenUp?: () => boolean;
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
    if (start.hasGivenUp?.() === true) {
      server.kill();
      await server.exited;
      continue;
    }
    if (Date.now() > deadline) {
      await server.stop();
      throw describeProgramFailure(`Starting ${name} within ${timeoutMs / 1000} s`, start);
    }
    await sleep(start.pollIntervalMs);
  }
}
