import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError, outOfSpaceSentence } from '../operator-error.ts';
import { readLogTail } from './log-file.ts';
import type { RunningChild } from './spawn-child.ts';

/**
 * Waits for a started server. Throws OperatorError if the server exits, if its start has failed (it is then killed), or
 * if it takes too long (it is then stopped). After a kill, a server first replays unflushed data, sometimes gigabytes.
 * The timeout therefore restarts with each log line that reports progress, because the next start would have to repeat
 * that work.
 */
export async function untilResponding(
  server: RunningChild,
  start: {
    readonly name: string;
    readonly isResponding: () => Promise<boolean>;
    /** Set for servers whose process may continue to run after a failed start. */
    readonly hasFailed?: () => boolean;
    /** Text that identifies log lines about progress. */
    readonly progressMark: string;
    /** Called with the newest of these lines while waiting. */
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
  while (!(await start.isResponding())) {
    if (server.hasExited()) throw describeProgramFailure(`Starting ${name}`, start);
    if (start.hasFailed?.() === true) {
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

/** Returns the last line that reports progress. Each line has a timestamp, so no two are the same. */
function findProgress({ logFile, progressMark }: Record<'logFile' | 'progressMark', string>) {
  return readLogTail(logFile)
    .split('\n')
    .findLast((line) => line.includes(progressMark));
}

/** Returns the last output of a program, or a clear message if the output says that the disk is full. */
export function describeProgramFailure(
  program: string,
  { dataDir, logFile }: { readonly dataDir: string; readonly logFile: string },
): OperatorError {
  const output = readLogTail(logFile);
  if (/no space left on device/i.test(output))
    return new OperatorError(outOfSpaceSentence(dataDir));
  const lines = output.trim().split('\n').slice(-8).join('\n  ');
  return new OperatorError(`${program} failed. See the end of ${logFile}:\n  ${lines}`);
}
