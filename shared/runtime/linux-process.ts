import { readFileSync } from 'node:fs';

/** When a process started, in ticks since the boot. Undefined when there is none, or only its unreaped remains. */
export function startTimeOf(pid: number): string | undefined {
  const [state, ...fields] = readStat(pid) ?? [];
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

/** The fields of /proc/PID/stat from the state on: state, parent, group and so on. */
export function readStat(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name stands in parentheses and may hold anything, so the fields are counted after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
