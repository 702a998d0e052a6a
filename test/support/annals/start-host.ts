import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The address of the program that runs every Annals of a test run. */
export interface HostAddress {
  readonly url: string;
  readonly token: string;
}

export interface StartedHost {
  readonly address: HostAddress;
  /** Stops the program and everything that it runs. */
  stop(): Promise<void>;
}

const leastNode = 24;
// The program next to this file: TypeScript in the repository, compiled in the package.
const program = join(import.meta.dirname, `annals-host${extname(import.meta.filename)}`);

/** Node's compile cache, which saves each run a second or two. */
const compileCache = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'annals',
  'compiled',
);

const ownInfrastructure = {
  KAFKA_BROKERS: undefined,
  DATABASE_URL: undefined,
  ANNALS_INFRA: 'local',
};

/**
 * Starts the host with `spares` instances of Annals, on the Kafka and Postgres that `env` names, or by
 * default on new ones on this machine. Throws an Error that names missing requirements.
 */
export async function startHost(
  spares: number,
  env: NodeJS.ProcessEnv = ownInfrastructure,
): Promise<StartedHost> {
  const child = spawn(findNode(), [program, `${spares}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Options of the test run, such as reporters, are not passed on.
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env, NODE_OPTIONS: undefined },
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.stdin?.end();
    await exited;
  };
  const firstLine = await readFirstLine(child);
  if ('url' in firstLine) return { address: firstLine, stop };
  await stop();
  throw new Error(`Annals could not be started for the tests: ${firstLine.error}`);
}

async function readFirstLine(
  child: ChildProcess,
): Promise<HostAddress | { readonly error: string }> {
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    const lines = createInterface(child.stdout);
    lines.once('line', (line) => resolve(JSON.parse(line)));
    lines.once('close', () => resolve({ error: 'its program ended without reporting a reason.' }));
    child.once('error', (error) => resolve({ error: error.message }));
  });
}

/** The Node that runs the tests, or that of the npm package `node`. */
function findNode(): string {
  const { versions, execPath } = process;
  if (Number.parseInt(versions.node, 10) >= leastNode) return execPath;
  const found = findInstalledNode();
  if (found !== undefined) return found;
  throw new Error(
    `Annals itself requires Node ${leastNode} or newer, but the tests run on Node ${versions.node}: use a newer one, or install it next to them: npm install --save-dev node@${leastNode}`,
  );
}

function findInstalledNode(): string | undefined {
  try {
    const require = createRequire(join(process.cwd(), 'package.json'));
    const manifest = require.resolve('node/package.json');
    const { version } = require('node/package.json') as { readonly version: string };
    const command = join(dirname(manifest), 'bin', 'node');
    return Number.parseInt(version, 10) >= leastNode && existsSync(command) ? command : undefined;
  } catch {
    return undefined;
  }
}
