import { join } from 'node:path';
import type { ChildRegistry } from '../processes/child-registry.ts';
import type { RunningChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';
import type { KeptPart } from './keep-running.ts';
import {
  type ServiceEntry,
  type ServiceName,
  type ServiceSurroundings,
  toReadyUrl,
  toServiceEnvironment,
} from './service-environment.ts';
import { openServiceLog } from './service-log.ts';
import { type Service, spawnService, startService } from './service-process.ts';

export interface StartedService extends Omit<KeptPart, 'onStarted' | 'name'> {
  readonly name: ServiceName;
}

/** Starts all services at once and waits until each is ready. */
export async function startServices(
  entries: readonly ServiceEntry[],
  surroundings: {
    readonly common: Omit<ServiceSurroundings, 'healthPort'>;
    readonly healthPorts: Readonly<Record<ServiceName, number>>;
    readonly logDirectory: string;
  },
  deps: { readonly registry: ChildRegistry; readonly terminal: Terminal },
): Promise<readonly StartedService[]> {
  const names = entries.map(({ name }) => name).join(', ');
  return deps.terminal.during(
    `Starting ${names}`,
    Promise.all(
      entries.map(async ({ name, entry }) => {
        const healthPort = surroundings.healthPorts[name];
        const path = join(surroundings.logDirectory, `${name}.log`);
        const service: Service = {
          name,
          entry,
          env: toServiceEnvironment(name, { ...surroundings.common, healthPort }),
          readyUrl: toReadyUrl(healthPort),
          log: openServiceLog({ service: name, path, terminal: deps.terminal }),
        };
        const process = await startService(service, deps.registry);
        return {
          name,
          process,
          startAgain: async (): Promise<RunningChild> => spawnService(service, deps.registry),
          lastErrors: service.log.lastErrors,
        };
      }),
    ),
  );
}
