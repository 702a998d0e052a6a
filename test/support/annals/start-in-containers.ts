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
import type { KafkaAccess } from '../../../infra/local/kafka/kafka-access.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { type Stoppable, stopAll } from './stop-all.ts';

export const defaultImage = 'annals:0.1.0';

export interface StartAnnalsOptions {
  /** The image of Annals; `annals:0.1.0` unless named. */
  readonly image?: string;
  /** Ports of this machine on which webhook receivers of the test listen, on every address of it. */
  readonly receiverPorts?: readonly number[];
  /** Any variable of the services. Webhooks are sent at once unless WEBHOOK_QUEUE_INTERVAL says otherwise. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running Annals, and how to get into it. `user`, `apiKey` and `hmac` may do everything with every record. */
export interface StartedAnnals {
  /** Without `/api/v1`. */
  readonly url: string;
  readonly admin: { readonly userName: string; readonly password: string };
  readonly user: { readonly userName: string; readonly password: string };
  readonly apiKey: { readonly userName: string; readonly apiKey: string };
  readonly hmac: {
    readonly userName: string;
    readonly apiKey: string;
    readonly secretKey: string;
  };
  readonly kafka: KafkaAccess;
  readonly postgres: { readonly url: string };
  /** The url under which Annals reaches a receiver of the test, for a webhook. */
  receiverUrl(port: number, path?: string): string;
  /** Ends and removes everything, the data included; also what comes after a part that fails: AggregateError. */
  stop(): Promise<void>;
}

const startTimeoutMs = 120_000;
const machine = 'host.docker.internal';
const services = ['api', 'projector', 'dispatcher'] as const;

/**
 * Starts Annals with a Kafka and a Postgres of its own, in containers, and waits until it answers. Needs a Docker
 * engine and the image; throws an Error that says which is missing.
 *
 * @example
 * const annals = await startAnnals({ receiverPorts: [port] });
 * const answer = await fetch(`${annals.url}/api/v1/Account`, {
 *   method: 'POST',
 *   headers: { 'X-Api-Key': annals.apiKey.apiKey, 'Content-Type': 'application/json' },
 *   body: JSON.stringify({ name: 'Acme' }),
 * });
 * await annals.stop();
 */
export async function startAnnals(options: StartAnnalsOptions = {}): Promise<StartedAnnals> {
  const image = options.image ?? defaultImage;
  await requireImage(image);
  const started: Stoppable[] = [];
  const stop = async (): Promise<void> => stopAll(started.splice(0));
  try {
    return await startAll({ ...options, image }, { started, stop });
  } catch (error) {
    await stop().catch((failure: unknown) => {
      throw new AggregateError([error, failure], `${String(error)}, and not all of it was stopped`);
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
    WEBHOOK_ALLOWED_ADDRESSES: (options.receiverPorts ?? [])
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
    postgres: { url: postgres.address },
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

/** Waits for all, also when one fails: what is still starting could not be stopped. */
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
      `There is no image ${name}: build it with docker build -t ${name} -f infra/docker/Dockerfile . in the repository of Annals, or name another one.`,
      { cause },
    );
  }
}

const makeKey = (): string => randomBytes(16).toString('hex');
