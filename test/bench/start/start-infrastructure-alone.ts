import { join } from 'node:path';
import { createChildRegistry } from '../../../infra/local/processes/child-registry.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { provideInfrastructure } from '../../../infra/local/provide-infrastructure.ts';
import { silentTerminal } from '../../../infra/local/terminal.ts';
import { rounded } from '../median.ts';

/** Returns the seconds until both respond, on the data of a stopped product. Stops them again. */
export async function startInfrastructureAlone(dataDir: string): Promise<number> {
  const registry = createChildRegistry(join(dataDir, 'run'));
  const killAll = (): void => registry.killAll();
  process.once('exit', killAll);
  const ports = await choosePorts(['kafka', 'kafkaController', 'postgres'], {});
  const startedAt = performance.now();
  const { kafka, postgres } = await provideInfrastructure({
    env: { ...process.env, KAFKA_BROKERS: undefined, DATABASE_URL: undefined },
    dataDir,
    ports,
    keepsData: true,
    spawn: registry.spawn,
    isStopping: registry.isStopping,
    terminal: silentTerminal,
  });
  const seconds = rounded((performance.now() - startedAt) / 1000, 2);
  await registry.stopAll(['kafka', 'postgres']);
  await kafka.stop();
  await postgres.stop();
  process.off('exit', killAll);
  return seconds;
}
