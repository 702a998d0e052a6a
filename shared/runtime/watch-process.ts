import { readFileSync } from 'node:fs';

/**
 * Calls `onGone` once when the process has ended, even if its number was given to another process since. Returns a
 * function that stops watching.
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

/** Tells a process from a later one with the same number, if the system knows when it started. */
function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxStart(pid) : isAlive(pid) ? 'alive' : undefined;
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name stands in parentheses and may have any character, so fields are counted after it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
