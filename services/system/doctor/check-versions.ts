import { type Finding, findingsAbout } from './finding.ts';

export interface ProcessVersion {
  readonly name: string;
  /** The host and port of the process's internal listener. */
  readonly host: string;
  readonly version: string;
}

const { ok, warning } = findingsAbout('services');

/** Checks that all processes and this command have the same version, because the command reads data that they write. */
export function checkVersions(processes: readonly ProcessVersion[], own: string): Finding {
  const byVersion = Map.groupBy(processes, ({ version }) => version);
  const [first = own, ...others] = [...byVersion.keys()];
  if (others.length > 0) {
    const named = [...byVersion].sort(inOrder).map(([version, running]) => {
      const places = running.map(({ name, host }) => `${name} at ${host}`);
      return `${version} (${places.join(', ')})`;
    });
    return warning({
      code: 'services.versionsDiffer',
      says: `The processes run different versions: ${named.join(', ')}.`,
      remedy: 'finish the upgrade: docs/operations/install.md, Upgrading',
      parameters: { versions: named.join(', ') },
    });
  }
  const parameters = { version: first, own };
  if (first === own) {
    const says = `All processes run version ${own}, as this command does.`;
    return ok({ code: 'services.sameVersion', says, parameters });
  }
  return warning({
    code: 'services.otherVersion',
    says: `All processes run version ${first}, but this command is version ${own}.`,
    remedy: 'use the command of the running version, or upgrade the services',
    parameters,
  });
}

const inOrder = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one.localeCompare(other, 'en', { numeric: true });
