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
import { providePassword } from '../data-directory/provide-password.ts';
import { describeProgramFailure, OperatorError } from '../operator-error.ts';
import { choosePorts } from '../processes/free-port.ts';
import { rotateLog } from '../processes/log-file.ts';
import { type RunningChild, type SpawnChild, spawnChild } from '../processes/spawn-child.ts';
import { untilAnswering } from '../processes/until-answering.ts';
import { createDatabaseIfMissing, findDatabaseFault } from './ask-database.ts';
import { findPostgresPlaces, type PostgresPlaces } from './postgres-places.ts';

export interface StartPostgresOptions {
  /** Holds everything of this server: data, password, log. */
  readonly dataDir: string;
  /** Exactly this one, or a free one if none is given. */
  readonly port?: number;
  readonly spawn?: SpawnChild;
  /** Called with lines of its log that report the progress of a recovery. */
  readonly onProgress?: (line: string) => void;
}

export interface StartedPostgres {
  /** Of a database `annals`; its user is the owner of the server and may create others. */
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
/** The checkpoint at the end of a recovery says nothing while it writes gigabytes. */
const START_TIMEOUT_MS = 300_000;
const POLL_INTERVAL_MS = 30;

const LEAST_BUFFER_MIB = 256;
const MOST_BUFFER_MIB = 4096;

/** Size of shared_buffers. A page outside them costs a system call to read. Postgres takes the memory only as it needs it. */
function bufferMib(): number {
  const eighth = Math.round(memoryLimitBytes() / 8 / MIB);
  return Math.min(Math.max(eighth, LEAST_BUFFER_MIB), MOST_BUFFER_MIB);
}

const MOST_WAL_MIB = 4096;
/**
 * Five segments: Postgres begins a checkpoint after two, spreads it over the next 1.8, and still has one where it takes
 * longer. Of four there would be none left to go on in.
 */
const LEAST_WAL_MIB = 80;

/** How much the write-ahead log may take: a sixteenth of the disk at most, before a checkpoint makes room. */
function walMib({ blocks, bsize }: StatsFs): number {
  const share = Math.floor((blocks * bsize) / 16 / MIB);
  return Math.min(Math.max(share, LEAST_WAL_MIB), MOST_WAL_MIB);
}

/**
 * Postgres ends when the disk has no block for what it writes into its write-ahead log, reads end with it, and it cannot
 * start there. A segment that was filled with zeros has all of its blocks. Whoever begins one fills it while all others
 * wait, 25 ms under load: on larger disks, which others hardly fill to the last byte, only used ones have theirs.
 */
const LEAST_WAL_WITH_HOLES = 1024;

const settingsFor = (wal: number): Readonly<Record<string, string>> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: `${bufferMib()}MB`,
  // Durable (fsync and synchronous_commit stay on), but with few checkpoints under a load of writes, except where little
  // room is left for what lies between two.
  max_wal_size: `${wal}MB`,
  wal_init_zero: wal < LEAST_WAL_WITH_HOLES ? 'on' : 'off',
  // Where one could not make another on a full disk, used segments are kept.
  min_wal_size: `${wal < LEAST_WAL_WITH_HOLES ? wal : Math.round(wal / 16)}MB`,
  checkpoint_timeout: wal < LEAST_WAL_WITH_HOLES ? '1min' : '15min',
  // Nobody uses them, and a checkpoint that finds no room for the file of their positions ends the server.
  max_active_replication_origins: '0',
  // Compiling a query costs more than the short queries of an API gain.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
});

/**
 * Keeps memory that a statement has freed for the next one. By default glibc returns it to the system, which clears each
 * page before it hands it out again: a seventh of the cost of storing a small batch.
 */
const memory: Readonly<Record<string, string>> = {
  MALLOC_TRIM_THRESHOLD_: `${16 * MIB}`,
  MALLOC_MMAP_THRESHOLD_: `${16 * MIB}`,
  MALLOC_TOP_PAD_: `${MIB}`,
};

/**
 * Starts a real Postgres on this machine and waits until it answers queries. On the data directory
 * of an earlier one it goes on with that data.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<StartedPostgres> {
  const { dataDir, spawn = spawnChild } = options;
  mkdirSync(dataDir, { recursive: true });
  // Its user passes through. What is secret in it has modes of its own.
  chmodSync(dataDir, 0o755);
  const server: Server = {
    ...findPostgresPlaces(dataDir),
    dataDir,
    spawn,
    password: providePassword(join(dataDir, 'password')),
  };
  if (!existsSync(server.storage)) await initialiseStorage(server);

  const { port } = { ...(await choosePorts(['port'], {})), ...options };
  const child = await runServer(server, port);
  const toUrl = (database: string): string =>
    `postgres://${owner}:${server.password}@127.0.0.1:${port}/${database}`;
  await untilAnswering(child, {
    name: 'Postgres',
    isAnswering: () => isAnswering(toUrl('postgres'), dataDir),
    // Each ten seconds, while it flushes its files, and while it reads its log.
    progressMark: 'elapsed time: ',
    onProgress: options.onProgress,
    timeoutMs: START_TIMEOUT_MS,
    pollIntervalMs: POLL_INTERVAL_MS,
    ...placeOf(dataDir),
  });
  await createDatabaseIfMissing(toUrl('postgres'), 'annals');
  return { url: toUrl('annals'), process: child, stop: child.stop };
}

/** Throws OperatorError if the server lets nobody in with the password that is kept next to its data. */
async function isAnswering(url: string, dataDir: string): Promise<boolean> {
  const fault = await findDatabaseFault(url);
  if (fault?.remedy === undefined) return fault === undefined;
  throw new OperatorError(
    `The Postgres of ${dataDir} refuses the password in ${join(dataDir, 'password')} (${fault.reason}): restore that file. Without it move ${dataDir} away: the next start fills a new Postgres from Kafka.`,
  );
}

const placeOf = (dataDir: string) => ({ dataDir, logFile: join(dataDir, 'postgres.log') });

/** Beside the final place, then moved: a first start that was killed half-way leaves nothing that looks complete. */
async function initialiseStorage(server: Server): Promise<void> {
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
    // The same order of text on every machine, whatever its own locale is.
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
    // Nothing of the caller's PG* variables, which these programs obey.
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', ...memory },
    cwd: '/',
    account: server.account,
    logFile: placeOf(server.dataDir).logFile,
    // To Postgres SIGINT is the fast shutdown; at SIGTERM it would wait for its clients to leave.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 30_000,
  });
}
