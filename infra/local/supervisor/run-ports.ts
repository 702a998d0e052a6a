import { readJsonIfPresent, writePrivateJson } from '../data-directory/private-file.ts';
import { choosePorts } from '../processes/free-port.ts';
import type { InfrastructurePorts } from '../provide-infrastructure.ts';
import type { ServiceName } from './service-environment.ts';

/** The ports of a run besides that of the API. */
export interface RunPorts extends InfrastructurePorts {
  readonly health: Readonly<Record<ServiceName, number>>;
}

const names = [
  'kafka',
  'kafkaController',
  'postgres',
  'apiHealth',
  'projectorHealth',
  'dispatcherHealth',
] as const;

/** Those of the run before where they are still free, and noted for the next one. */
export async function providePorts(path: string): Promise<RunPorts> {
  const ports = await choosePorts(names, toPortNumbers(readJsonIfPresent(path)));
  writePrivateJson(path, ports);
  return {
    kafka: ports.kafka,
    kafkaController: ports.kafkaController,
    postgres: ports.postgres,
    health: {
      api: ports.apiHealth,
      projector: ports.projectorHealth,
      dispatcher: ports.dispatcherHealth,
    },
  };
}

function toPortNumbers(note: unknown): Partial<Record<(typeof names)[number], number>> {
  if (typeof note !== 'object' || note === null) return {};
  const entries = Object.entries(note).filter(
    ([, port]) => Number.isInteger(port) && port > 0 && port <= 65_535,
  );
  return Object.fromEntries(entries);
}
