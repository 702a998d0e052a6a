import type { RunningProcess, Setting } from '../../api/system.ts';

/** A setting, and which processes have it so. */
interface MergedSetting extends Setting {
  /** Their services and addresses; undefined where all that have the setting have it so. */
  readonly where: readonly string[] | undefined;
}

/** A row for each setting; several where processes differ. */
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

/** By `name` or `source`; with `-` in front, descending. */
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
