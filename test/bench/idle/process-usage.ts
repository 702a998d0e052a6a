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
const stat = { parent: 1, userTicks: 11, systemTicks: 12 } as const;

export function readUsage(pid: number): ProcessUsage {
  const fields = readStat(pid);
  const ticks = Number(fields[stat.userTicks]) + Number(fields[stat.systemTicks]);
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: ticks * MS_PER_TICK, memoryMb: Number(resident) / 1024 };
}

/** Returns a process and all its descendants that run Node. */
export function nodeProcessesOf(root: number): readonly number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  return pids.filter((pid) => isBelow(pid) && runsNode(pid));
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(readStat(pid)[stat.parent]);
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}

function runsNode(pid: number): boolean {
  return basename(readlinkSync(`/proc/${pid}/exe`)) === basename(process.execPath);
}

/** Splits after the program name in brackets, which may contain anything. */
function readStat(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
