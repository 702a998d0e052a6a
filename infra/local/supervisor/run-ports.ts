import { isDeepStrictEqual } from 'node:util';
import { readJsonIfPresent, writePrivateJson } from '../data-directory/private-file.ts';
import { isOutOfSpace } from '../operator-error.ts';
import { choosePorts } from '../processes/free-port.ts';
import { type InfrastructurePorts, infrastructurePorts } from '../provide-infrastructure.ts';
import type { Instance } from './plan-instances.ts';

/** The ports of a run in addition to the public one. */
export interface RunPorts extends InfrastructurePorts {
  /** Ports for health checks and requests between services, by instance. */
  readonly health: ReadonlyMap<string, number>;
  /** Ports of the apis behind a load balancer, by instance; empty without one. */
  readonly http: ReadonlyMap<string, number>;
}

/** Chooses the ports of a run: the ports of the previous run where they are still free. Saves them for the next run. */
export async function providePorts(
  path: string,
  instances: readonly Instance[],
): Promise<RunPorts> {
  const hasLoadBalancer = instances.some(({ service }) => service === 'front');
  const behindFront = instances.filter(({ service }) => hasLoadBalancer && service === 'api');
  const names: readonly string[] = [
    ...infrastructurePorts,
    ...instances.map(({ name }) => `${name}Health`),
    ...behindFront.map(({ name }) => `${name}Http`),
  ];
  const known = toPortNumbers(readJsonIfPresent(path));
  const ports = await choosePorts(names, known);
  if (!isDeepStrictEqual(ports, known)) savePorts(path, ports);
  const portOf = (name: string): number => ports[name] ?? 0;
  return {
    kafka: portOf('kafka'),
    kafkaController: portOf('kafkaController'),
    postgres: portOf('postgres'),
    health: new Map(instances.map(({ name }) => [name, portOf(`${name}Health`)])),
    http: new Map(behindFront.map(({ name }) => [name, portOf(`${name}Http`)])),
  };
}

/** Saves the ports. If the disk is full, the next run chooses other ports, which is harmless. */
function savePorts(path: string, ports: Readonly<Record<string, number>>): void {
  try {
    writePrivateJson(path, ports);
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}

function toPortNumbers(saved: unknown): Readonly<Record<string, number>> {
  if (typeof saved !== 'object' || saved === null) return {};
  const entries = Object.entries(saved).filter(
    ([, port]) => Number.isInteger(port) && port > 0 && port <= 65_535,
  );
  return Object.fromEntries(entries);
}
