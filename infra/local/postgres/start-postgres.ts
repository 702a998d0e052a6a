import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  type StatsFs,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { memoryLimitBytes } from '../../../shared/runtime/memory-limits.ts';
import { MIB } from '../../../shared/storage/storage-floor.ts';
import { providePassword } from '../data-directory/private-file.ts';
import { OperatorError } from '../operator-error.ts';
import { choosePorts } from '../processes/free-port.ts';
import { rotateLog } from '../processes/log-file.ts';
import { type RunningChild, type SpawnChild, spawnChild } from '../processes/spawn-child.ts';
import { describeProgramFailure, untilResponding } from '../processes/until-responding.ts';
import { createDatabaseIfMissing, findDatabaseFault } from './find-database-fault.ts';
import { findPostgresPlaces, type PostgresPlaces } from './postgres-places.ts';

export interface StartPostgresOptions {
  /** Contains all files of this server: its data, password and log. */
  readonly dataDir: string;
  /** The port to use. Defaults to a free port. */
  readonly port?: number;
  readonly spawn?: SpawnChild;
  /** Called with log lines that report the progress of a recovery. */
  readonly onProgress?: (line: string) => void;
}

export interface StartedPostgres {
  /** URL of the database `annals`. Its user owns the server and may create other databases. */
  readonly url: string;
  readonly process: RunningChild;
  stop(): Promise<void>;
}

interface Server extends PostgresPlaces {
  readonly dataDir: string;
  readonly password: string;
  readonly spawn: SpawnChild;
}

const owner = 'annals';
/** The checkpoint at the end of a recovery may write gigabytes without a log line. */
const START_TIMEOUT_MS = 300_000;
const POLL_INTERVAL_MS = 30;

const MIN_BUFFER_MIB = 256;
const MAX_BUFFER_MIB = 4096;

/**
 * Returns the size of shared_buffers. Reading a page that is not in these buffers costs a system call. Postgres
 * allocates the memory only as needed.
 */
function bufferMib(): number {
  const eighth = Math.round(memoryLimitBytes() / 8 / MIB);
  return Math.min(Math.max(eighth, MIN_BUFFER_MIB), MAX_BUFFER_MIB);
}

const MAX_WAL_MIB = 4096;
/**
 * Five segments: Postgres begins a checkpoint after two, spreads it over the next 1.8, and has one left if the
 * checkpoint takes longer. With four segments, none would be left.
 */
const MIN_WAL_MIB = 80;

/** Returns the maximum size of the write-ahead log before a checkpoint frees space: at most a sixteenth of the disk. */
function walMib({ blocks, bsize }: StatsFs): number {
  const share = Math.floor((blocks * bsize) / 16 / MIB);
  return Math.min(Math.max(share, MIN_WAL_MIB), MAX_WAL_MIB);
}

/**
 * Postgres exits if the disk has no block left for its write-ahead log. Reads then fail too, and Postgres cannot start
 * again. All blocks of a zero-filled segment are already allocated. Filling a segment blocks all writers for 25 ms
 * under load, so it is not done on larger disks, which other programs rarely fill completely.
 */
const MIN_SPARSE_WAL_MIB = 1024;

const settingsFor = (wal: number): Readonly<Record<string, string>> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: `${bufferMib()}MB`,
  // Durable (fsync and synchronous_commit stay on), but with few checkpoints under a write load, except on small
  // disks.
  max_wal_size: `${wal}MB`,
  wal_init_zero: wal < MIN_SPARSE_WAL_MIB ? 'on' : 'off',
  // Keeps used segments, because a new one could not be created on a full disk.
  min_wal_size: `${wal < MIN_SPARSE_WAL_MIB ? wal : Math.round(wal / 16)}MB`,
  checkpoint_timeout: wal < MIN_SPARSE_WAL_MIB ? '1min' : '15min',
  // Annals does not use replication origins, and a checkpoint that lacks space for the file with their positions stops
  // the server.
  max_active_replication_origins: '0',
  // Compiling a query costs more than it saves for the short queries of an API.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
});

/**
 * Keeps memory that a statement has freed for the next one. By default glibc returns it to the system, which clears
 * each page before reuse. That would be a seventh of the cost of storing a small batch.
 */
const memory: Readonly<Record<string, string>> = {
  MALLOC_TRIM_THRESHOLD_: `${16 * MIB}`,
  MALLOC_MMAP_THRESHOLD_: `${16 * MIB}`,
  MALLOC_TOP_PAD_: `${MIB}`,
};

/**
 * Starts a real Postgres on this machine and waits until it responds to queries. Reuses existing data in the data
 * directory.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<StartedPostgres> {
  const { dataDir, spawn = spawnChild } = options;
  mkdirSync(dataDir, { recursive: true });
  // The user that runs Postgres must be able to traverse the directory. Secret files in it have their own modes.
  chmodSync(dataDir, 0o755);
  const server: Server = {
    ...findPostgresPlaces(dataDir),
    dataDir,
    spawn,
    password: providePassword(join(dataDir, 'password')),
  };
  if (!existsSync(server.storage)) await initializeStorage(server);

  const { port } = { ...(await choosePorts(['port'], {})), ...options };
  const child = await runServer(server, port);
  const toUrl = (database: string): string =>
    `postgres://${owner}:${server.password}@127.0.0.1:${port}/${database}`;
  await untilResponding(child, {
    name: 'Postgres',
    isResponding: () => isResponding(toUrl('postgres'), dataDir),
    // Logged every ten seconds, while Postgres flushes its files and while it replays its log.
    progressMark: 'elapsed time: ',
    onProgress: options.onProgress,
    timeoutMs: START_TIMEOUT_MS,
    pollIntervalMs: POLL_INTERVAL_MS,
    ...placeOf(dataDir),
  });
  await createDatabaseIfMissing(toUrl('postgres'), 'annals');
  return { url: toUrl('annals'), process: child, stop: child.stop };
}

/** Throws OperatorError if the server rejects the password that is stored next to its data. */
async function isResponding(url: string, dataDir: string): Promise<boolean> {
  const fault = await findDatabaseFault(url);
  if (fault?.remedy === undefined) return fault === undefined;
  throw new OperatorError(
    `The Postgres in ${dataDir} rejects the password in ${join(dataDir, 'password')} (${fault.reason}): restore that file. If it is lost, move ${dataDir} away; the next start then fills a new Postgres from Kafka.`,
  );
}

const placeOf = (dataDir: string) => ({ dataDir, logFile: join(dataDir, 'postgres.log') });

/**
 * Initializes next to the final path and moves the result: a first start that was killed midway leaves nothing that
 * looks complete.
 */
async function initializeStorage(server: Server): Promise<void> {
  const { storage, account, dataDir, password } = server;
  const unfinished = `${storage}.new`;
  const passwordFile = `${storage}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) {
    chownSync(unfinished, account.uid, account.gid);
    chownSync(passwordFile, account.uid, account.gid);
  }
  const initdb = await runProgram(server, 'initdb', [
    `--pgdata=${unfinished}`,
    `--username=${owner}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // Gives the same sort order on every machine, regardless of its locale.
    '--no-locale',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  const { code } = await initdb.exited;
  rmSync(passwordFile, { force: true });
  if (code !== 0) {
    throw describeProgramFailure('Creating the Postgres data directory', placeOf(dataDir));
  }
  renameSync(unfinished, storage);
}

async function runServer(server: Server, port: number): Promise<RunningChild> {
  rotateLog(placeOf(server.dataDir).logFile);
  const wal = walMib(statfsSync(server.storage));
  const options = Object.entries({ ...settingsFor(wal), port: `${port}` });
  return runProgram(server, 'postgres', [
    '-D',
    server.storage,
    ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
}

async function runProgram(
  server: Server,
  program: 'initdb' | 'postgres',
  args: readonly string[],
): Promise<RunningChild> {
  return server.spawn({
    name: program,
    lockName: 'postgres',
    command: join(server.programs, 'bin', program),
    args,
    // Excludes the caller's PG* variables, which these programs would use.
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', ...memory },
    cwd: '/',
    account: server.account,
    logFile: placeOf(server.dataDir).logFile,
    // SIGINT requests a fast shutdown. On SIGTERM, Postgres would wait for its clients to disconnect.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 30_000,
  });
}
