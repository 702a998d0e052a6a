import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readStat, startTimeOf } from '../../../shared/runtime/linux-process.ts';

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

/** Unless the process, or with a negative number its group, has ended by itself in the meantime. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has.
  }
}

function linuxIdentity(pid: number): string | undefined {
  const startTime = startTimeOf(pid);
  if (startTime === undefined) return undefined;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}:${startTime}`;
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
