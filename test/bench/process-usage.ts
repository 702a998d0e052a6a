import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export interface ProcessUsage {
  /** Processor time since its start. */
  readonly cpuMs: number;
  /** Resident memory, including shared memory. */
  readonly memoryMb: number;
}

/** The unit of the kernel's counters, the same on every platform that Node supports. */
const MS_PER_TICK = 10;
/** Positions in /proc/<pid>/stat, counted from the field after the program name. */
const stat = {
  parent: 1,
  userTicks: 11,
  systemTicks: 12,
  childUserTicks: 13,
  childSystemTicks: 14,
} as const;

export function readUsage(pid: number): ProcessUsage {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: cpuMsOf(pid), memoryMb: Number(resident) / 1024 };
}

/** Returns the processor time of a process since its start. */
export function cpuMsOf(pid: number): number {
  const fields = readStat(pid);
  return (Number(fields[stat.userTicks]) + Number(fields[stat.systemTicks])) * MS_PER_TICK;
}

/** Returns the processor time of the children of a process that have exited. */
export function cpuMsOfEndedChildren(pid: number): number {
  const fields = readStat(pid);
  return (
    (Number(fields[stat.childUserTicks]) + Number(fields[stat.childSystemTicks])) * MS_PER_TICK
  );
}

/** Returns the processor time of a process and of all its children. */
export function cpuMsOfFamily(pid: number): number {
  const children = allProcesses().filter((child) => parentOf(child) === pid);
  return children.reduce(
    (sum, child) => sum + (unlessEnded(() => cpuMsOf(child)) ?? 0),
    cpuMsOf(pid) + cpuMsOfEndedChildren(pid),
  );
}

/** Returns a process and all its descendants that run this program, such as `node`. */
export function processesBelow(root: number, program: string): readonly number[] {
  const pids = allProcesses();
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  return pids.filter((pid) => isBelow(pid) && programOf(pid) === program);
}

export function parentOf(pid: number): number | undefined {
  return unlessEnded(() => Number(readStat(pid)[stat.parent]));
}

function allProcesses(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function programOf(pid: number): string | undefined {
  return unlessEnded(() => basename(readlinkSync(`/proc/${pid}/exe`)));
}

/** Returns undefined if the process has exited meanwhile. */
function unlessEnded<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Splits after the program name in brackets, which may contain anything. */
function readStat(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
