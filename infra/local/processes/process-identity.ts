import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readStat, startTimeOf } from '../../../shared/runtime/linux-process.ts';

/**
 * Returns a value that distinguishes a process from a later one with the same pid: the boot and the start time.
 * Undefined if the process does not exist or is a zombie.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : portableIdentity(pid);
}

export function isSameProcess(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

/** Returns undefined if the process does not exist. */
export function parentOf(pid: number): number | undefined {
  const parent = process.platform === 'linux' ? readStat(pid)?.[1] : runPs(pid, 'ppid=')?.trim();
  return parent === undefined ? undefined : Number(parent);
}

/**
 * Sends a signal to a process, or to its group if the number is negative. Does nothing if the process has already
 * exited.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited.
  }
}

function linuxIdentity(pid: number): string | undefined {
  const startTime = startTimeOf(pid);
  if (startTime === undefined) return undefined;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}:${startTime}`;
}

function portableIdentity(pid: number): string | undefined {
  const [state = '', ...started] = runPs(pid, 'stat=,lstart=')?.trim().split(/\s+/) ?? [];
  return started.length === 0 || state.startsWith('Z') ? undefined : started.join(' ');
}

function runPs(pid: number, fields: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', fields, '-p', `${pid}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
