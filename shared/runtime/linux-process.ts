import { readFileSync } from 'node:fs';

/** Returns the start time of a process, in ticks since boot. Undefined if it does not exist or is a zombie. */
export function startTimeOf(pid: number): string | undefined {
  const [state, ...fields] = readStat(pid) ?? [];
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

/** Returns the fields of /proc/PID/stat, starting with the state: state, parent, group and so on. */
export function readStat(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name is in parentheses and may contain anything, so the fields are counted after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
