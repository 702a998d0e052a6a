import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { javaCommand, kafkaVersion } from '../../infra/prerequisites.mjs';

/** Returns the commit of the working tree, and whether there are changes. */
export function describeCommit(): string {
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `commit ${commit}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown commit';
  }
}

export function readPostgresVersion(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown version';
  });
}

export function readJavaVersion(): string {
  const java = javaCommand(process.env['JAVA_HOME']);
  const [version = ''] = execFileSync(java, ['--version'], { encoding: 'utf8' }).split('\n');
  return version;
}

/** Returns date, commit, machine and versions for a report. */
export function describeSurroundings(run: {
  readonly commit: string;
  readonly postgresVersion: string;
  readonly javaVersion: string;
}): string {
  const [cpu] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return (
    `${date}, ${run.commit}; ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${gibibytes} GiB, ` +
    `${type()} ${release()}; Node ${process.versions.node}, Apache Kafka ${kafkaVersion} on ${run.javaVersion}, ` +
    `Postgres ${run.postgresVersion}. Broker, database, services and load generator share the machine.`
  );
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}
