import { type Finding, findingsAbout } from './finding.ts';

export interface ProcessVersion {
  readonly name: string;
  /** Host and port of its internal listener. */
  readonly host: string;
  readonly version: string;
}

const { ok, warning } = findingsAbout('services');

/** Checks that all processes and this command have the same version: the command reads and rebuilds what they write. */
export function judgeVersions(processes: readonly ProcessVersion[], own: string): Finding {
  const byVersion = Map.groupBy(processes, ({ version }) => version);
  const [first = own, ...others] = [...byVersion.keys()];
  if (others.length > 0) {
    const named = [...byVersion].sort(inOrder).map(([version, running]) => {
      const places = running.map(({ name, host }) => `${name} at ${host}`);
      return `${version} (${places.join(', ')})`;
    });
    return warning(
      `run different versions: ${named.join(', ')}`,
      'finish the upgrade: docs/operations/install.md, Upgrading',
    );
  }
  if (first === own) return ok(`all run version ${own}, as this command does`);
  return warning(
    `all run version ${first}, but this command is version ${own}`,
    'use the command of the running version, or upgrade the services',
  );
}

const inOrder = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one.localeCompare(other, 'en', { numeric: true });
