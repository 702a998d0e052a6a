import { join } from 'node:path';
import type { ChildRegistry } from '../processes/child-registry.ts';
import type { RunningChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';
import type { Development } from './development.ts';
import type { KeptPart } from './keep-running.ts';
import { namesSetByStart } from './names-set-by-start.ts';
import type { Instance } from './plan-instances.ts';
import type { RunPorts } from './run-ports.ts';
import {
  type ServiceSurroundings,
  toReadyUrl,
  toServiceEnvironment,
} from './service-environment.ts';
import { openServiceLog, type ServiceLog } from './service-log.ts';
import { type Service, spawnService, startService } from './service-process.ts';

export type StartedService = Omit<KeptPart, 'onStarted'>;

type Common = Omit<ServiceSurroundings, 'healthPort' | 'balancedApis'>;

/** Starts all processes in parallel, reports each one when it is ready, and waits until all are. */
export async function startServices(
  instances: readonly Instance[],
  surroundings: {
    readonly common: Common;
    readonly ports: Pick<RunPorts, 'health' | 'http'>;
    readonly logDirectory: string;
    readonly development: Development | undefined;
  },
  deps: {
    readonly registry: ChildRegistry;
    readonly terminal: Terminal;
    readonly onReady: (service: StartedService) => void;
  },
): Promise<void> {
  const { development } = surroundings;
  const names = instances.map(({ name }) => name).join(', ');
  const lacking = new Map<string, string | undefined>();
  const logs: ServiceLog[] = [];
  const isRebuilding = () => logs.some((log) => log.wait().rebuild !== undefined);
  const describeLacking = () =>
    [...lacking]
      .flatMap(([name, lacks]) => (lacks === undefined ? [] : `${name} ${lacks}`))
      .join('; ');
  await deps.terminal.during(
    `Starting ${names}`,
    Promise.all(
      instances.map(async (instance) => {
        const { name, entry } = instance;
        const healthPort = surroundings.ports.health.get(name) ?? 0;
        const path = join(surroundings.logDirectory, `${name}.log`);
        const service: Service = {
          name,
          args: [...(development?.inspectorOptions(name) ?? []), entry],
          env: environmentOf(instance, healthPort, surroundings),
          readyUrl: toReadyUrl(healthPort),
          log: openServiceLog({ service: name, path, terminal: deps.terminal }),
        };
        logs.push(service.log);
        const process = await startService(service, deps.registry, {
          onState: (lacks) => lacking.set(name, lacks),
          isRebuilding,
        });
        deps.onReady({
          name,
          process,
          startAgain: async (): Promise<RunningChild> => spawnService(service, deps.registry),
          lastErrors: service.log.lastErrors,
          untilChange: development && (() => development.sources.untilChange(instance.service)),
        });
      }),
    ),
    describeLacking,
  );
}

/** An api behind a load balancer has a separate port on the loopback interface. */
function environmentOf(
  { name, service }: Instance,
  healthPort: number,
  { common, ports }: { readonly common: Common; readonly ports: Pick<RunPorts, 'health' | 'http'> },
): NodeJS.ProcessEnv {
  const httpPort = ports.http.get(name);
  const place = httpPort === undefined ? common : { ...common, host: '127.0.0.1', port: httpPort };
  const balancedApis = [...ports.http].map(([api, port]) => `${port}/${ports.health.get(api)}`);
  const variables = toServiceEnvironment(service, { ...place, healthPort, balancedApis });
  return { ...variables, ANNALS_SET_BY_START: namesSetByStart(common.env, variables).join(',') };
}
