import { randomBytes } from 'node:crypto';
import {
  getContainerRuntimeClient,
  ImageName,
  Network,
  type StartedNetwork,
  Wait,
} from 'testcontainers';
import { makeSeed } from '../../../infra/local/data-directory/seed-file.ts';
import {
  LoopbackContainer,
  startKafkaContainer,
  startPostgresContainer,
} from '../../../infra/local/docker/start-containers.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { startReceiver } from './start-receiver.ts';
import type { StartAnnalsOptions, StartedAnnals } from './started-annals.ts';
import { type Stoppable, stopAll } from './stop-all.ts';

export const defaultImage = 'annals:0.2.0';

const startTimeoutMs = 120_000;
const machine = 'host.docker.internal';
const receiverNames = ['receiver1', 'receiver2', 'receiver3', 'receiver4'] as const;
const services = ['api', 'projector', 'dispatcher'] as const;

/**
 * Starts Annals with its own Kafka and Postgres, in containers, and waits until it responds. Requires a
 * Docker engine and the image; throws an Error that names what is missing.
 */
export async function startInContainers(options: StartAnnalsOptions): Promise<StartedAnnals> {
  const image = options.image ?? defaultImage;
  await requireImage(image);
  const started: Stoppable[] = [];
  const stop = async (): Promise<void> => stopAll(started.splice(0));
  try {
    return await startAll({ ...options, image }, { started, stop });
  } catch (error) {
    await stop().catch((failure: unknown) => {
      throw new AggregateError(
        [error, failure],
        `${String(error)}, and some of the containers could not be stopped`,
      );
    });
    throw error;
  }
}

async function startAll(
  options: StartAnnalsOptions & { readonly image: string },
  { started, stop }: { readonly started: Stoppable[]; readonly stop: () => Promise<void> },
): Promise<StartedAnnals> {
  const keep = <Part extends Stoppable>(part: Part): Part => {
    started.push(part);
    return part;
  };
  const seed = makeSeed();
  const password = makeKey();
  const ports = await choosePorts(['kafka', 'postgres', 'api'], {});
  // The services read the allowed addresses once, so the ports of receivers are chosen before they start.
  const spared = Object.values(await choosePorts(receiverNames, {}));
  const network = keep(await new Network().start());
  const common = { volume: undefined, network };
  const startingKafka = startKafkaContainer({
    ...common,
    port: ports.kafka,
    password: makeKey(),
  }).then(keep);
  const startingPostgres = startPostgresContainer({
    ...common,
    port: ports.postgres,
    password,
  }).then(keep);
  const [kafka, postgres] = await allOrNone([startingKafka, startingPostgres]);

  const env = {
    KAFKA_BROKERS: 'kafka:19092',
    KAFKA_SASL_MECHANISM: kafka.address.mechanism ?? '',
    KAFKA_SASL_USERNAME: kafka.address.username ?? '',
    KAFKA_SASL_PASSWORD: kafka.address.password ?? '',
    KAFKA_ON_THIS_MACHINE: 'true',
    DATABASE_URL: `postgres://annals:${password}@postgres:5432/annals`,
    ANNALS_SECRET_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_QUEUE_INTERVAL: '0',
    WEBHOOK_ALLOWED_ADDRESSES: [...(options.receiverPorts ?? []), ...spared]
      .map((port) => `${machine}:${port}`)
      .join(','),
    ...options.env,
  };
  await allOrNone(
    services.map(async (service) =>
      keep(
        await startService({ service, image: options.image, network, port: ports.api, env, seed }),
      ),
    ),
  );
  return {
    url: `http://127.0.0.1:${ports.api}`,
    ...seed,
    kafka: kafka.address,
    topicPrefix: 'annals',
    postgres: { url: postgres.address },
    async startReceiver() {
      const port = spared.shift();
      if (port === undefined)
        throw new Error(`All ${receiverNames.length} receivers are in use already.`);
      // Containers reach this machine, but not its loopback interface.
      const place = { port, host: '0.0.0.0', name: machine };
      const receiver = await startReceiver(place);
      started.push({ stop: receiver.close });
      return receiver;
    },
    clock: {
      async advance() {
        throw new Error(
          'The clock of an Annals in containers cannot be moved: start it without `containers`.',
        );
      },
    },
    receiverUrl: (port, path = '/') => `http://${machine}:${port}${path}`,
    stop,
  };
}

type Seed = Pick<StartedAnnals, 'admin' | 'user' | 'apiKey' | 'hmac'>;

async function startService(plan: {
  readonly service: (typeof services)[number];
  readonly image: string;
  readonly network: StartedNetwork;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly seed: Seed;
}) {
  const { service, image, network, port, env, seed } = plan;
  const seedFile = '/tmp/seed.json';
  const container = new LoopbackContainer(image)
    .withCommand([service])
    .inNetwork(network, service)
    .withExtraHosts([{ host: machine, ipAddress: 'host-gateway' }])
    .withEnvironment({ ...env, ANNALS_SEED_FILE: seedFile })
    .withCopyContentToContainer([{ content: JSON.stringify(seed), target: seedFile }])
    .withWaitStrategy(Wait.forSuccessfulCommand('node infra/docker/check-health.mjs'))
    .withStartupTimeout(startTimeoutMs);
  return (service === 'api' ? container.withLoopbackPort(8080, port) : container).start();
}

/** Waits for all parts even if one fails, because a part that is still starting cannot be stopped. */
async function allOrNone<const Parts extends readonly Promise<unknown>[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

async function requireImage(name: string): Promise<void> {
  const { image } = await getContainerRuntimeClient();
  const imageName = ImageName.fromString(name);
  if (await image.exists(imageName)) return;
  try {
    await image.pull(imageName);
  } catch (cause) {
    throw new Error(
      `The image ${name} does not exist: build it with docker build -t ${name} -f infra/docker/Dockerfile . in the repository of Annals, or set another image.`,
      { cause },
    );
  }
}

const makeKey = (): string => randomBytes(16).toString('hex');
