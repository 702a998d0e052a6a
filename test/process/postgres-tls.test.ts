import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findDatabaseFault, withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type StartedPostgres, startPostgres } from '../../infra/local/postgres/start-postgres.ts';
import { outageOf } from '../../shared/db/outage-of.ts';
import { createClient, createPool } from '../../shared/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { type Certificate, createAuthority } from '../support/receivers/certificates.ts';

const applicationName = 'tls-test';
let directory: string;
let server: StartedPostgres;
let authority: string;

beforeAll(async () => {
  directory = makeTestDirectory();
  authority = join(directory, 'authority.pem');
  const { cert, issue } = await createAuthority();
  writeFileSync(authority, cert);
  server = await startPostgres({ dataDir: join(directory, 'postgres') });
  await switchTlsOn(await issue('localhost'));
});

afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The files must belong to the user of the server, so the server writes them. */
async function switchTlsOn({ cert, key }: Certificate): Promise<void> {
  await withClient(server.url, async (client) => {
    for (const [name, content] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
      await client.query(
        `copy (select unnest(string_to_array(${client.escapeLiteral(content.trim())}, e'\\n')))
         to program 'umask 077; tr -d "\\r" > ${name}'`,
      );
    }
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
  });
  await eventually(async () =>
    expect(await isEncrypted('localhost', 'sslmode=no-verify')).toBe(true),
  );
}

const urlOf = (host: string, query: string): string =>
  `${server.url.replace('127.0.0.1', host)}?${query}`;

/** Throws the error of the driver. */
async function isEncrypted(host: string, query: string): Promise<boolean | undefined> {
  const pool = createPool({ url: urlOf(host, query), poolSize: 1, applicationName });
  try {
    const { rows } = await pool.query<{ readonly ssl: boolean }>(
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    );
    return rows[0]?.ssl;
  } finally {
    await pool.end();
  }
}

const withAuthority = (mode: string): string => `sslmode=${mode}&sslrootcert=${authority}`;

describe('a Postgres connection with TLS', () => {
  it.each(['verify-full', 'verify-ca', 'require', 'prefer'])(
    'checks the certificate with sslmode=%s',
    async (mode) => {
      expect(await isEncrypted('localhost', withAuthority(mode))).toBe(true);
      for (const [host, query] of [
        ['localhost', `sslmode=${mode}`],
        ['127.0.0.1', withAuthority(mode)],
      ] as const) {
        const refusal = await isEncrypted(host, query).catch((error: unknown) => error);
        expect(outageOf(refusal)?.message).toBe('The database is not available.');
      }
    },
  );

  it('skips verification with no-verify and encryption with disable or no sslmode', async () => {
    expect(await isEncrypted('localhost', 'sslmode=no-verify')).toBe(true);
    expect(await isEncrypted('localhost', 'sslmode=disable')).toBe(false);
    expect(await isEncrypted('localhost', '')).toBe(false);
  });

  it('receives notifications', async () => {
    const url = urlOf('localhost', withAuthority('verify-full'));
    const client = createClient({ url, applicationName });
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => void heard.push(payload));
    await client.connect();
    await client.query('listen news');
    await client.query("notify news, 'arrived'");
    await eventually(() => expect(heard).toEqual(['arrived']));
    await client.end();
  });

  it('never falls back to an unencrypted connection if the server has no TLS', async () => {
    const { host } = new URL(inject('databaseUrl'));
    for (const mode of ['prefer', 'require', 'verify-full', 'no-verify']) {
      const url = `${inject('databaseUrl')}?sslmode=${mode}`;
      expect(await findDatabaseFault(url)).toEqual({
        reason: 'The server does not support SSL connections',
        remedy: expect.stringContaining('sslmode'),
      });
      const pool = createPool({ url, poolSize: 1, applicationName });
      const refusal = await pool.query('select 1').catch((error: unknown) => error);
      expect({ host, message: outageOf(refusal)?.message }).toEqual({
        host,
        message: 'The database is not available.',
      });
      await pool.end();
    }
  });
});
