import type { RunningProcess, Setting } from '../../api/system.ts';

/** A setting with the processes that have this value. */
interface MergedSetting extends Setting {
  /** Services and addresses of the processes; undefined if all processes with the setting have this value. */
  readonly where: readonly string[] | undefined;
}

/** Returns a row for each setting, or several if processes have different values. */
export function mergeSettings(processes: readonly RunningProcess[]): readonly MergedSetting[] {
  const all = processes.flatMap(({ service, address, told }) =>
    (told?.settings ?? []).map((setting) => ({ setting, process: `${service} ${address}` })),
  );
  return [...Map.groupBy(all, ({ setting }) => setting.name).values()].flatMap((ofName) => {
    const kinds = Map.groupBy(ofName, ({ setting }) => `${setting.source} ${setting.value}`);
    return [...kinds.values()].flatMap((alike) => {
      const [first] = alike;
      const where = kinds.size === 1 ? undefined : alike.map(({ process }) => process);
      return first === undefined ? [] : { ...first.setting, where };
    });
  });
}

/** Sorts by `name` or `source`, prefixed with `-` for descending order. */
export function sortSettings(
  settings: readonly MergedSetting[],
  sort: string,
): readonly MergedSetting[] {
  const column = sort.endsWith('source') ? 'source' : 'name';
  const sorted = settings.toSorted(
    (one, other) => one[column].localeCompare(other[column]) || one.name.localeCompare(other.name),
  );
  return sort.startsWith('-') ? sorted.toReversed() : sorted;
}
