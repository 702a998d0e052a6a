import { setTimeout as sleep } from 'node:timers/promises';
import { describeProgramFailure } from '../operator-error.ts';
import { readLogTail } from './log-file.ts';
import type { RunningChild } from './spawn-child.ts';

/**
 * Waits for a server that was started. Throws OperatorError if it ends, if it has given up and is killed, or if it takes
 * too long and is stopped. A server that was killed first reads what it had not flushed, gigabytes at times: its time begins
 * anew with each line of its log that tells of progress, since the next start would have to do as much.
 */
export async function untilAnswering(
  server: RunningChild,
  start: {
    readonly name: string;
    readonly isAnswering: () => Promise<boolean>;
    /** Of a server whose process may outlive its failure. */
    readonly hasGivenUp?: () => boolean;
    /** What the line of its log has that tells of progress. */
    readonly progressMark: string;
    /** Called with the newest of these lines while it waits. */
    readonly onProgress?: ((line: string) => void) | undefined;
    readonly timeoutMs: number;
    readonly pollIntervalMs: number;
    readonly dataDir: string;
    readonly logFile: string;
  },
): Promise<void> {
  const { name, timeoutMs } = start;
  let deadline = Date.now() + timeoutMs;
  let progress = findProgress(start);
  while (!(await start.isAnswering())) {
    if (server.hasExited()) throw describeProgramFailure(`Starting ${name}`, start);
    if (start.hasGivenUp?.() === true) {
      server.kill();
      await server.exited;
      continue;
    }
    const now = findProgress(start);
    if (now !== progress) {
      deadline = Date.now() + timeoutMs;
      start.onProgress?.(now ?? '');
    }
    progress = now;
    if (Date.now() > deadline) {
      await server.stop();
      throw describeProgramFailure(`Starting ${name} within ${timeoutMs / 1000} s`, start);
    }
    await sleep(start.pollIntervalMs);
  }
}

/** The last line that tells of progress: lines have their time. */
function findProgress({ logFile, progressMark }: Record<'logFile' | 'progressMark', string>) {
  return readLogTail(logFile)
    .split('\n')
    .findLast((line) => line.includes(progressMark));
}
