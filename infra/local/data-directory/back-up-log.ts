import { spawn } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { endLeftovers } from '../processes/end-leftovers.ts';
import { lockDirectory } from './directory-lock.ts';
import { readTextIfPresent } from './private-file.ts';

interface Backup {
  readonly directory: string;
  /** Written as a whole or not at all; one that is there is never replaced. */
  readonly archive: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Of Postgres nothing, since Kafka fills it again; no keys, which belong into another place. */
const backedUp = ['kafka', 'ports.json'];
/** The password of Kafka, of which the next start makes another one, and the settings in which it stands. */
const leftOut = ['kafka/password', 'kafka/server.properties'];

/** Throws OperatorError for what is no log at rest in this directory. */
export async function backUpLog({ directory, archive, env }: Backup): Promise<void> {
  requireLogOf(directory, env);
  if (existsSync(archive)) {
    throw new OperatorError(`${archive} is there already: name another file.`);
  }
  // Nobody may start meanwhile. A killed run may have left its Kafka behind, which writes on.
  const lock = lockDirectory(directory);
  try {
    await endLeftovers(directory);
    await archiveInto(archive, directory);
  } finally {
    lock.release();
  }
}

function requireLogOf(directory: string, env: NodeJS.ProcessEnv): void {
  if (env['KAFKA_BROKERS']) {
    throw new OperatorError(
      `The log is in the Kafka at ${env['KAFKA_BROKERS']} (KAFKA_BROKERS): back that up instead.`,
    );
  }
  const volumes = readTextIfPresent(join(directory, 'docker-volumes'))?.trim();
  if (volumes !== undefined) {
    throw new OperatorError(
      `The log is in the Docker volume ${volumes}-kafka: docs/operations/install.md says how to back that up.`,
    );
  }
  if (!existsSync(join(directory, 'kafka', 'data'))) {
    throw new OperatorError(
      `There is no log in ${directory}: set ANNALS_DATA_DIR as npm start has it.`,
    );
  }
}

/** Beside its place, and moved when the disk has it: what has the name of a backup is one. */
async function archiveInto(archive: string, directory: string): Promise<void> {
  const unfinished = `${archive}.new`;
  try {
    const exclusions = leftOut.map((path) => `--exclude=${path}`);
    await runTar(['-czf', unfinished, ...exclusions, '-C', directory, ...backedUp]);
    flush(unfinished);
    renameSync(unfinished, archive);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

async function runTar(args: readonly string[]): Promise<void> {
  const child = spawn('tar', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise<number | null>((done) => {
    child.on('error', (error) => {
      said += error.message;
      done(null);
    });
    child.on('close', done);
  });
  if (code !== 0) throw new OperatorError(`tar could not write the backup: ${said.trim()}`);
}
