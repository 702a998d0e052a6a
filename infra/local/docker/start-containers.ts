import { buffer } from 'node:stream/consumers';
import {
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  type StartedNetwork,
  Wait,
} from 'testcontainers';
import { readPatchedClasses, storageJar } from '../../kafka-patch/patch-broker.ts';
import type { DockerObstacle } from '../choose-place.ts';
import { type KafkaAccess, toKafkaAccess } from '../kafka/kafka-access.ts';
import { accountSettings, brokerAccount, singleBrokerSettings } from '../kafka/kafka-properties.ts';

const kafkaImage = 'apache/kafka:4.1.1';
const postgresImage = 'postgres:18.4';
const kafkaClasses = '/opt/annals/classes';
const START_TIMEOUT_MS = 120_000;
/** The port for other containers; programs on this machine use the published port. */
const NETWORK_PORT = 19_092;

export type ContainerPart = 'kafka' | 'postgres';

export interface StartedContainer<Address> {
  /** The address for programs on this machine. */
  readonly address: Address;
  stop(): Promise<void>;
}

export interface ContainerPlace {
  readonly port: number;
  /** Contains the data and outlives the container. If undefined, the data is deleted with the container. */
  readonly volume: string | undefined;
  readonly password: string;
  /** The network for other containers. In it, the name of each container is its host name: `kafka:19092`, `postgres:5432`. */
  readonly network?: StartedNetwork;
}

/** Pulls the images that are missing locally. Returns the reason if that is impossible. */
export async function fetchImages(
  parts: readonly ContainerPart[],
): Promise<DockerObstacle | undefined> {
  for (const part of parts) {
    const name = part === 'kafka' ? kafkaImage : postgresImage;
    try {
      const { image } = await getContainerRuntimeClient();
      const wanted = ImageName.fromString(name);
      if (!(await image.exists(wanted))) await image.pull(wanted);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const what = `the image ${name} is not on this machine and could not be pulled (${reason})`;
      return { what, remedy: `run docker pull ${name}` };
    }
  }
  return undefined;
}

export async function startKafkaContainer(
  place: ContainerPlace,
): Promise<StartedContainer<KafkaAccess>> {
  const brokers = `127.0.0.1:${place.port}`;
  const account = brokerAccount(place.password);
  const settings = {
    ...singleBrokerSettings,
    ...accountSettings(account, ['CLIENT', 'NETWORK', 'CONTROLLER']),
    listeners: `CLIENT://0.0.0.0:${place.port},NETWORK://0.0.0.0:${NETWORK_PORT},CONTROLLER://127.0.0.1:9093`,
    'advertised.listeners': `CLIENT://${brokers},NETWORK://${place.network ? 'kafka' : 'localhost'}:${NETWORK_PORT}`,
    'inter.broker.listener.name': 'NETWORK',
    'controller.quorum.voters': '1@127.0.0.1:9093',
    'log.dirs': '/var/lib/kafka/data',
  };
  const container = await new LoopbackContainer(kafkaImage)
    .withLoopbackPort(place.port, place.port)
    .inNetwork(place.network, 'kafka')
    .withBindMounts(toMounts(place.volume, '/var/lib/kafka/data'))
    .withEnvironment({ ...toContainerEnvironment(settings), CLASSPATH: kafkaClasses })
    .withCopyContentToContainer(
      Array.from(await readClassesOfImage(kafkaImage), ([path, content]) => ({
        content,
        target: `${kafkaClasses}/${path}`,
      })),
    )
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  return {
    address: toKafkaAccess(brokers, account),
    stop: async () => void (await container.stop(toStopOptions(place))),
  };
}

/** The address of the started container is the URL of the database `annals`. */
export async function startPostgresContainer(
  place: ContainerPlace,
): Promise<StartedContainer<string>> {
  const container = await new LoopbackContainer(postgresImage)
    .withLoopbackPort(5432, place.port)
    .inNetwork(place.network, 'postgres')
    .withBindMounts(toMounts(place.volume, '/var/lib/postgresql'))
    .withEnvironment({
      POSTGRES_USER: 'annals',
      POSTGRES_PASSWORD: place.password,
      POSTGRES_DB: 'annals',
      POSTGRES_INITDB_ARGS:
        '--no-locale --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8',
    })
    .withCommand([
      'postgres',
      ...[
        'max_connections=200',
        'shared_buffers=256MB',
        'max_wal_size=1GB',
        'wal_init_zero=off',
      ].flatMap((one) => ['-c', one]),
    ])
    // Over TCP, because the server that initializes the data listens only on a socket. Inside the container, because
    // testcontainers does not look for published ports on the loopback interface if it runs in a container itself.
    .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready --host=127.0.0.1 --username=annals'))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  const address = `postgres://annals:${place.password}@127.0.0.1:${place.port}/annals`;
  return { address, stop: async () => void (await container.stop(toStopOptions(place))) };
}

/** Without persistent data, the volumes that the images declare are removed too; they would outlive the container. */
const toStopOptions = ({ volume }: ContainerPlace) => ({
  timeout: 20_000,
  remove: true,
  removeVolumes: volume === undefined,
});

/** Publishes its port on the loopback interface only, because the traffic is not encrypted. */
export class LoopbackContainer extends GenericContainer {
  withLoopbackPort(container: number, host: number): this {
    this.withExposedPorts({ container, host });
    this.hostConfig.PortBindings = {
      [`${container}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: `${host}` }],
    };
    return this;
  }

  inNetwork(network: StartedNetwork | undefined, alias: string): this {
    return network === undefined ? this : this.withNetwork(network).withNetworkAliases(alias);
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

/** In a tar archive (POSIX, ustar), each file follows a header that contains the file's length as an octal number. */
const HEADER_BYTES = 512;
const LENGTH = { from: 124, to: 135 } as const;

/**
 * Returns the patched classes for the Kafka in `image` (docs/adr/0036), read from a container that is never started.
 */
async function readClassesOfImage(image: string): Promise<ReturnType<typeof readPatchedClasses>> {
  const { container: containers } = await getContainerRuntimeClient();
  const container = await containers.create({ Image: image });
  try {
    const path = `/opt/kafka/libs/${storageJar}`;
    const archive = await buffer(await containers.fetchArchive(container, path));
    const length = Number.parseInt(archive.toString('latin1', LENGTH.from, LENGTH.to), 8);
    return readPatchedClasses(archive.subarray(HEADER_BYTES, HEADER_BYTES + length));
  } finally {
    await containers.remove(container, { removeVolumes: true });
  }
}
