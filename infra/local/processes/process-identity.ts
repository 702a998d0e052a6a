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

/** Undefined when there is no such process. */
export function parentOf(pid: number): number | undefined {
  const parent = process.platform === 'linux' ? readStat(pid)?.[1] : askPs(pid, 'ppid=')?.trim();
  return parent === undefined ? undefined : Number(parent);
}

function linuxIdentity(pid: number): string | undefined {
  const [state, ...fields] = readStat(pid) ?? [];
  const startTime = fields[18];
  if (state === 'Z' || state === 'X' || startTime === undefined) return undefined;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}:${startTime}`;
}

/** The fields of /proc/PID/stat from the state on: state, parent, group and so on. */
function readStat(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name stands in parentheses and may hold anything, so the fields are counted after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function portableIdentity(pid: number): string | undefined {
  const [state = '', ...started] = askPs(pid, 'stat=,lstart=')?.trim().split(/\s+/) ?? [];
  return started.length === 0 || state.startsWith('Z') ? undefined : started.join(' ');
}

function askPs(pid: number, fields: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', fields, '-p', `${pid}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
