import { type KafkaAccess, toKafkaVariables } from '../kafka/kafka-access.ts';

export type ServiceName = 'api' | 'projector' | 'dispatcher';

export interface ServiceEntry {
  readonly name: ServiceName;
  readonly entry: string;
}

/** What is known about a run, from which the environment of its services is built. */
export interface ServiceSurroundings {
  /** The operator's environment, which is passed on so that `npm start` accepts every variable of a service. */
  readonly env: NodeJS.ProcessEnv;
  readonly kafka: KafkaAccess;
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly seedFile: string;
  /** Contains all addresses and credentials, once all processes are ready. */
  readonly accessFile: string;
  /** The built console; undefined if it could not be built. */
  readonly consoleDirectory: string | undefined;
  /** Paths of this run's own Kafka and Postgres. */
  readonly storagePaths: readonly string[];
  readonly host: string;
  readonly port: number;
}

const healthHost = '127.0.0.1';

/** With a pooler, the operator has configured both addresses. */
const toDatabaseVariables = ({ env, databaseUrl }: ServiceSurroundings): NodeJS.ProcessEnv =>
  ['DATABASE_SESSION_URL', 'DATABASE_SESSION_URL_FILE'].some((name) => env[name])
    ? {}
    : { DATABASE_URL: databaseUrl, DATABASE_URL_FILE: undefined };

/** Returns the environment variables that the supervisor sets for a service. */
export function toServiceEnvironment(
  service: ServiceName | 'front',
  surroundings: ServiceSurroundings,
  /** `balancedApis`: the `port/internalPort` of each api behind the load balancer. */
  {
    healthPort,
    balancedApis,
  }: { readonly healthPort: number; readonly balancedApis: readonly string[] },
): NodeJS.ProcessEnv {
  const { env, host, port } = surroundings;
  const environment = {
    ...env,
    ...toKafkaVariables(surroundings.kafka),
    LOG_LEVEL: env['LOG_LEVEL'] || 'info',
    ANNALS_TOPIC_PREFIX: env['ANNALS_TOPIC_PREFIX'] || 'annals',
    ANNALS_SECRET_KEY: surroundings.secretKey,
    STORAGE_PATHS: env['STORAGE_PATHS'] || surroundings.storagePaths.join(','),
    ...toDatabaseVariables(surroundings),
    // The file has already been read, and a service would reject a secret that is set twice.
    ANNALS_SECRET_KEY_FILE: undefined,
    // A service exits when its supervisor has exited, because a killed supervisor cannot stop its services.
    ANNALS_SUPERVISOR_PID: `${process.pid}`,
    INTERNAL_HOST: healthHost,
    INTERNAL_PORT: `${healthPort}`,
  };
  if (service === 'front') {
    const targets = balancedApis.join(',');
    return { ...environment, HOST: host, PORT: `${port}`, ANNALS_FRONT_TARGETS: targets };
  }
  if (service !== 'api') return environment;
  const isBehindLoadBalancer = balancedApis.length > 0;
  return {
    ...environment,
    HOST: host,
    PORT: `${port}`,
    ANNALS_SEED_FILE: surroundings.seedFile,
    ANNALS_ACCESS_FILE: surroundings.accessFile,
    ANNALS_CONSOLE_DIR: surroundings.consoleDirectory,
    ...(isBehindLoadBalancer ? { ANNALS_PROXY_PROTOCOL: 'signed' } : {}),
  };
}

export function toReadyUrl(healthPort: number): string {
  return `http://${healthHost}:${healthPort}/readyz`;
}

/** Returns the variables of a service that the operator set neither directly nor by a `_FILE` variable. */
export function namesSetByStart(
  operator: NodeJS.ProcessEnv,
  passed: NodeJS.ProcessEnv,
): readonly string[] {
  return Object.keys(passed).filter(
    (name) =>
      passed[name] !== undefined && passed[name] !== operator[name] && !operator[`${name}_FILE`],
  );
}
