import { startTimeOf } from './linux-process.ts';

/**
 * Calls `onGone` once after the process has ended, even if its pid has been reused since. Returns a function that
 * stops watching.
 */
export function watchProcess(watched: {
  readonly pid: number;
  readonly intervalMs: number;
  readonly onGone: () => void;
}): () => void {
  const { pid, intervalMs, onGone } = watched;
  const atStart = processStart(pid);
  const timer = setInterval(() => {
    if (atStart !== undefined && processStart(pid) === atStart) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns a value that distinguishes a process from a later one with the same pid, if the system knows when it
 * started.
 */
function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? startTimeOf(pid) : isAlive(pid) ? 'alive' : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
