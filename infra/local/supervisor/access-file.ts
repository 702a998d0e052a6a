import type { SeedFile } from '../data-directory/seed-file.ts';
import type { KafkaAccess } from '../kafka/kafka-access.ts';

/** The addresses and credentials of a running Annals: the part of the start contract that scripts and tests read. */
export interface AccessFile extends SeedFile {
  readonly url: string;
  readonly kafka: KafkaAccess;
  readonly postgres: { readonly url: string };
  readonly processes: Processes;
}

/** Process ids; null for a Kafka or Postgres that this run did not start itself. */
export interface Processes {
  readonly api: number;
  readonly projector: number;
  readonly dispatcher: number;
  readonly kafka: number | null;
  readonly postgres: number | null;
  /** `api2`, `projector2` …, and `front` if there are several apis. */
  readonly [instance: string]: number | null;
}

export function toAccess(parts: {
  readonly url: string;
  readonly seed: SeedFile;
  readonly kafka: KafkaAccess;
  readonly databaseUrl: string;
  readonly processes: Processes;
}): AccessFile {
  const { admin, user, apiKey, hmac } = parts.seed;
  return {
    url: parts.url,
    admin: { userName: admin.userName, password: admin.password },
    user: { userName: user.userName, password: user.password },
    apiKey: { userName: apiKey.userName, apiKey: apiKey.apiKey },
    hmac: { userName: hmac.userName, apiKey: hmac.apiKey, secretKey: hmac.secretKey },
    kafka: parts.kafka,
    postgres: { url: parts.databaseUrl },
    processes: parts.processes,
  };
}

/** Converts pids by process name to the form of the access file. The pid of a process that is not running yet is 0. */
export function toProcesses(pids: ReadonlyMap<string, number>): Processes {
  return {
    ...Object.fromEntries(pids),
    api: pids.get('api') ?? 0,
    projector: pids.get('projector') ?? 0,
    dispatcher: pids.get('dispatcher') ?? 0,
    kafka: pids.get('kafka') ?? null,
    postgres: pids.get('postgres') ?? null,
  };
}

/**
 * Returns the address to open in a browser. For a server that listens on every address, this is the loopback interface.
 */
export function toBaseUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
