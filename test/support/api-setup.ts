import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { hostVariable } from './annals/host-variable.ts';
import { startHost } from './annals/start-host.ts';
import { sharedInfrastructure } from './global-setup.ts';

/** Instances kept ready, so that a test file does not have to wait after the previous one has taken an instance. */
const SPARES = 2;

/** Makes `startAnnals` use the Kafka and the Postgres of the test run. */
export async function setup(): Promise<() => Promise<void>> {
  const { kafka, databaseUrl } = await sharedInfrastructure();
  const host = await startHost(SPARES, {
    ...toKafkaVariables(kafka),
    DATABASE_URL: databaseUrl,
  });
  process.env[hostVariable] = JSON.stringify(host.address);
  return async () => {
    delete process.env[hostVariable];
    await host.stop();
  };
}
