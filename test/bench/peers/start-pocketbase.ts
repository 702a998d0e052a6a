import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { eventually } from '../../support/eventually.ts';
import type { BenchContext } from '../bench.ts';
import { contactBodies } from '../contact-bodies.ts';

export interface Peer {
  readonly host: string;
  readonly port: number;
  /** For the header Authorization. */
  readonly token: string;
}

/** `FULL` flushes each write before its response, `NORMAL` is the default of PocketBase. */
export type Durability = 'FULL' | 'NORMAL';

const sources = join(import.meta.dirname, 'pocketbase');
const run = promisify(execFile);

export function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

/** Builds the program into a directory that is removed after the bench. */
export async function buildPocketBase(context: BenchContext): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'annals-peers-'));
  context.opened(async () => rmSync(directory, { recursive: true, force: true }));
  context.report('building PocketBase');
  const program = join(directory, 'pocketbase');
  await run('go', ['build', '-o', program, '.'], { cwd: sources });
  return program;
}

/**
 * Creates a collection `contacts` with the fields and indexes of the compared Contacts, accessible to its
 * users only.
 */
export async function startPocketBase(
  context: BenchContext,
  program: string,
  durability: Durability,
): Promise<Peer> {
  const data = mkdtempSync(join(tmpdir(), 'annals-peer-data-'));
  context.opened(async () => rmSync(data, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], PRAGMA_SYNCHRONOUS: durability };
  const login = { email: 'bench@example.com', password: 'a password of the bench' };
  const upsert = ['superuser', 'upsert', login.email, login.password, `--dir=${data}`];
  await run(program, upsert, { env });
  const { port } = await choosePorts(['port'], {});
  const child = await spawnChild({
    name: `pocketbase-${durability}`,
    command: program,
    args: ['serve', `--http=127.0.0.1:${port}`, `--dir=${data}`],
    env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  child.stdout?.resume();
  child.stderr?.resume();
  context.opened(child.stop);
  const url = `http://127.0.0.1:${port}/api/collections`;
  await eventually(() => ask(`http://127.0.0.1:${port}/api/health`));
  const admin = await ask(`${url}/_superusers/auth-with-password`, {
    identity: login.email,
    password: login.password,
  });
  await ask(url, contacts, admin.token);
  const user = { ...login, passwordConfirm: login.password };
  await ask(`${url}/users/records`, user, admin.token);
  const identity = { identity: login.email, password: login.password };
  const { token = '' } = await ask(`${url}/users/auth-with-password`, identity);
  return { host: '127.0.0.1', port, token };
}

const forUsers = "@request.auth.id != ''";
const contacts = {
  name: 'contacts',
  type: 'base',
  listRule: forUsers,
  viewRule: forUsers,
  createRule: forUsers,
  fields: [
    ...Object.keys(contactBodies(1)[0] ?? {}).map((name) => ({ name, type: 'text' })),
    { name: 'created', type: 'autodate', onCreate: true },
  ],
  indexes: ['lastName', 'emailAddress', 'created'].map(
    (field) => `create index contacts_${field} on contacts (${field})`,
  ),
};

async function ask(
  url: string,
  body?: unknown,
  token?: string,
): Promise<{ readonly token?: string }> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: token }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly token?: string };
}
