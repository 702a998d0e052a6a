import { GenericContainer, getContainerRuntimeClient, ImageName, Wait } from 'testcontainers';
import { singleBrokerSettings } from '../kafka/kafka-properties.ts';

const kafkaImage = 'apache/kafka:4.1.1';
const postgresImage = 'postgres:18.4';
const startTimeoutMs = 120_000;
const stopOptions = { timeout: 20_000, remove: true, removeVolumes: false };

export type ContainerPart = 'kafka' | 'postgres';

export interface StartedContainer {
  readonly address: string;
  stop(): Promise<void>;
}

/** Makes sure that the images are there, fetching them if need be; otherwise says why they cannot be had. */
export async function fetchImages(parts: readonly ContainerPart[]): Promise<string | undefined> {
  try {
    const { image } = await getContainerRuntimeClient();
    for (const part of parts) {
      const name = ImageName.fromString(part === 'kafka' ? kafkaImage : postgresImage);
      if (!(await image.exists(name))) await image.pull(name);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A broker in a container. Its data is in the named volume and outlives it; without one it ends with it. */
export async function startKafkaContainer(place: {
  readonly port: number;
  readonly volume: string | undefined;
}): Promise<StartedContainer> {
  const address = `127.0.0.1:${place.port}`;
  const settings = {
    ...singleBrokerSettings,
    listeners: `PLAINTEXT://0.0.0.0:${place.port},CONTROLLER://127.0.0.1:9093`,
    'advertised.listeners': `PLAINTEXT://${address}`,
    'controller.quorum.voters': '1@127.0.0.1:9093',
    'log.dirs': '/var/lib/kafka/data',
  };
  const container = await new LoopbackContainer(kafkaImage)
    .withLoopbackPort(place.port, place.port)
    .withBindMounts(toMounts(place.volume, '/var/lib/kafka/data'))
    .withEnvironment(toContainerEnvironment(settings))
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(startTimeoutMs)
    .start();
  return { address, stop: async () => void (await container.stop(stopOptions)) };
}

/** A server in a container, its address the url of database `annals`. Its data is kept as that of Kafka. */
export async function startPostgresContainer(place: {
  readonly port: number;
  readonly volume: string | undefined;
  readonly password: string;
}): Promise<StartedContainer> {
  const container = await new LoopbackContainer(postgresImage)
    .withLoopbackPort(5432, place.port)
    .withBindMounts(toMounts(place.volume, '/var/lib/postgresql'))
    .withEnvironment({
      POSTGRES_USER: 'annals',
      POSTGRES_PASSWORD: place.password,
      POSTGRES_DB: 'annals',
      POSTGRES_INITDB_ARGS:
        '--no-locale --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8',
    })
    .withCommand(['postgres', '-c', 'max_connections=200', '-c', 'shared_buffers=256MB'])
    // The first start serves its own initialisation before it serves others.
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(startTimeoutMs)
    .start();
  const address = `postgres://annals:${place.password}@127.0.0.1:${place.port}/annals`;
  return { address, stop: async () => void (await container.stop(stopOptions)) };
}

/** Publishes its port on the loopback interface only: neither part asks a stranger on the network who he is. */
class LoopbackContainer extends GenericContainer {
  withLoopbackPort(container: number, host: number): this {
    this.withExposedPorts({ container, host });
    this.hostConfig.PortBindings = {
      [`${container}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: `${host}` }],
    };
    return this;
  }
}

const toMounts = (
  volume: string | undefined,
  target: string,
): { source: string; target: string }[] =>
  volume === undefined ? [] : [{ source: volume, target }];

/** The image reads `log.dirs` from `KAFKA_LOG_DIRS`. */
function toContainerEnvironment(
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `KAFKA_${name.replaceAll('.', '_').toUpperCase()}`,
      value,
    ]),
  );
}
