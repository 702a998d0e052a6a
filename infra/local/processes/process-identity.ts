import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells a process from a later one with the same number: the boot and the moment it started.
 * Undefined when there is no such process, or only its unreaped remains.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : portableIdentity(pid);
}

export function isSameProcess(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

function linuxIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name stands in parentheses and may hold anything, so the fields are counted after it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startTime = fields[18];
    if (state === 'Z' || state === 'X' || startTime === undefined) return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${startTime}`;
  } catch {
    return undefined;
  }
}

function portableIdentity(pid: number): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', `${pid}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [state = '', ...started] = output.trim().split(/\s+/);
    return state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}
