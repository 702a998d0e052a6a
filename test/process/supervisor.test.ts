import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { checkDataDirectory } from '../../infra/cli/doctor/check-data-directory.ts';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { processIdentity } from '../../infra/local/processes/process-identity.ts';
import type { Processes } from '../../infra/local/supervisor/access-file.ts';
import { eventually } from '../support/eventually.ts';
import { superviseFakeServices } from '../support/harness/supervise-fake-services.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';

let dataDir: string;
let sharedInfrastructure: NodeJS.ProcessEnv;
const ownInfrastructure = { KAFKA_BROKERS: '', DATABASE_URL: '', ANNALS_INFRA: 'local' };

beforeEach(() => {
  dataDir = makeTestDirectory();
  sharedInfrastructure = {
    ...toKafkaVariables(inject('kafka')),
    DATABASE_URL: inject('databaseUrl'),
  };
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const isAlive = (pid: number | null): boolean => pid !== null && processIdentity(pid) !== undefined;

describe('the supervisor', () => {
  it('starts all parts, restarts killed ones and leaves nothing behind', async () => {
    const run = await superviseFakeServices(dataDir, ownInfrastructure);
    await run.untilReady();
    const first = run.access().processes;
    expect(Object.values(first).every(isAlive)).toBe(true);

    for (const name of Object.keys(first) as (keyof Processes)[]) {
      process.kill(first[name] ?? 0, 'SIGKILL');
      await eventually(() => expect(run.access().processes[name]).not.toBe(first[name]), {
        timeoutMs: 40_000,
      });
      expect(run.output()).toContain(`${name} ended (SIGKILL) and is being started again`);
    }
    const second = run.access().processes;
    expect(Object.values(second).every(isAlive)).toBe(true);

    expect(await run.stop()).toBe(0);
    expect(Object.values(second).some(isAlive)).toBe(false);
  });

  it('keeps the keys and ports of the previous run', async () => {
    const first = await superviseFakeServices(dataDir, sharedInfrastructure);
    await first.untilReady();
    const { processes: _, url: __, ...keys } = first.access();
    const ports = readFileSync(join(dataDir, 'ports.json'), 'utf8');
    await first.stop();

    const second = await superviseFakeServices(dataDir, sharedInfrastructure);
    await second.untilReady();
    expect(second.access()).toMatchObject(keys);
    expect(readFileSync(join(dataDir, 'ports.json'), 'utf8')).toBe(ports);
    for (const file of ['access.json', 'seed.json', 'secret.key']) {
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    }
    await second.stop();
  });

  it('reads its secrets from the files named in the environment', async () => {
    const url = join(dataDir, 'given-url');
    const key = join(dataDir, 'given-key');
    writeFileSync(url, `${inject('databaseUrl')}\n`);
    writeFileSync(key, `${'ab'.repeat(32)}\n`);
    const run = await superviseFakeServices(dataDir, {
      ...toKafkaVariables(inject('kafka')),
      DATABASE_URL: '',
      DATABASE_URL_FILE: url,
      ANNALS_SECRET_KEY_FILE: key,
    });
    await run.untilReady();

    expect(run.access().postgres.url).toBe(inject('databaseUrl'));
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
    expect(await run.stop()).toBe(0);
  });

  it('gives up on a service that fails to start and prints its last lines', async () => {
    const run = await superviseFakeServices(dataDir, {
      ...sharedInfrastructure,
      FAKE_SERVICE_FAILS: 'at start',
    });

    expect(await run.exitCode).toBe(1);
    expect(run.output()).toMatch(
      /The (api|projector|dispatcher) ended 3 times in a row while starting \(exit code 1\)\. See /,
    );
    expect(run.output()).toContain('Error: the fake service fails as requested');
  });

  it('waits for a live service, reports the failed check and keeps the others running', async () => {
    const file = join(dataDir, 'rebuilt');
    const run = await superviseFakeServices(dataDir, {
      ...sharedInfrastructure,
      FAKE_SERVICE_API_WAITS_FOR: file,
    });
    await eventually(() => expect(run.waitsFor()).toBe('api is not ready (readModel)'));
    const pidsOf = (service: string) =>
      readFileSync(join(dataDir, 'logs', `${service}.log`), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : (JSON.parse(line).pid ?? [])));
    const [pid] = pidsOf('dispatcher');
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(pidsOf('dispatcher')).toHaveLength(2));
    expect(run.output()).toContain('dispatcher ended (SIGKILL) and is being started again');
    expect(run.output()).not.toContain('Annals is ready');

    writeFileSync(file, '');
    await run.untilReady();
    expect(run.access().processes.dispatcher).toBe(pidsOf('dispatcher').at(-1));
    expect(await run.stop()).toBe(0);
  });

  it('writes access.json and the keys again when they are deleted', async () => {
    const run = await superviseFakeServices(dataDir, sharedInfrastructure);
    await run.untilReady();
    const files = ['access.json', 'secret.key', 'seed.json', 'ports.json'];
    const before = files.map((name) => readFileSync(join(dataDir, name), 'utf8'));
    for (const name of files) rmSync(join(dataDir, name));
    await eventually(() => {
      expect(files.map((name) => readFileSync(join(dataDir, name), 'utf8'))).toEqual(before);
    });
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(run.output()).toContain('access.json was deleted while Annals was running');
    expect(await run.stop()).toBe(0);
  });

  it('kills Kafka if its directory is deleted and starts no empty replacement', async () => {
    const run = await superviseFakeServices(dataDir, ownInfrastructure);
    await run.untilReady();
    rmSync(join(dataDir, 'kafka'), { recursive: true });
    await eventually(
      () =>
        expect(run.output()).toContain(
          `kafka could not be started: ${join(dataDir, 'kafka', 'data')} was deleted while Annals was running`,
        ),
      { timeoutMs: 20_000 },
    );
    expect(existsSync(join(dataDir, 'kafka'))).toBe(false);
    expect(run.output()).not.toContain('kafka runs again');
    expect(checkDataDirectory(dataDir, 'a key')).toContainEqual(
      expect.objectContaining({
        verdict: 'fault',
        says: expect.stringContaining('the data of Kafka was deleted'),
        remedy: expect.stringContaining('rebuild-log'),
      }),
    );
    expect(await run.stop()).toBe(0);
  });

  it('immediately reports why its own Postgres rejects the password', async () => {
    const first = await superviseFakeServices(dataDir, ownInfrastructure);
    await first.untilReady();
    await first.stop();
    writeFileSync(join(dataDir, 'postgres', 'password'), 'another\n');

    const second = await superviseFakeServices(dataDir, ownInfrastructure);
    expect(await second.exitCode).toBe(1);
    expect(second.output()).toContain('rejects the password in');
    expect(second.output()).toContain('password authentication failed');
  });

  it('shows the logged reason why a service is not ready', async () => {
    const file = join(dataDir, 'rebuilt');
    const run = await superviseFakeServices(dataDir, {
      ...sharedInfrastructure,
      FAKE_SERVICE_API_WAITS_FOR: file,
      FAKE_SERVICE_REASON: 'Kafka: the broker requires SASL',
    });
    await eventually(() =>
      expect(run.waitsFor()).toBe(
        'api is not ready (readModel): Kafka: the broker requires SASL: set the account',
      ),
    );
    expect(await run.stop()).toBe(0);
  });

  it('prints service warnings and leaves everything else in the logs', async () => {
    const run = await superviseFakeServices(dataDir, sharedInfrastructure);
    await run.untilReady();
    await run.stop();

    expect(run.output()).toContain('[projector] warn: fake service warning topic=tea');
    expect(run.output()).not.toContain('fake service started');
    expect(readFileSync(join(dataDir, 'logs', 'projector.log'), 'utf8')).toContain(
      'fake service started',
    );
  });

  it('can be stopped while it is starting', async () => {
    const run = await superviseFakeServices(dataDir, ownInfrastructure);
    await eventually(() => expect(run.output()).toContain('Starting Kafka and Postgres'));

    expect(await run.stop()).toBe(0);
    expect(run.output()).not.toContain('Annals is ready');
  });

  it.each([
    [{ KAFKA_BROKERS: '127.0.0.1:1' }, 'The Kafka in KAFKA_BROKERS (127.0.0.1:1) does not respond'],
    [
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/annals' },
      'The database annals at 127.0.0.1:1 (DATABASE_URL) does not respond',
    ],
    [
      { DATABASE_SESSION_URL: 'postgres://a:secret@127.0.0.1:1/annals' },
      'The database annals at 127.0.0.1:1 (DATABASE_SESSION_URL) does not respond',
    ],
    [{ DATABASE_URL: 'nonsense' }, 'DATABASE_URL must be an address'],
    [
      { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: '', KAFKA_SASL_PASSWORD: '' },
      'KAFKA_SASL_USERNAME is required with KAFKA_SASL_MECHANISM; KAFKA_SASL_PASSWORD is required',
    ],
    [{ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: '/nowhere' }, 'KAFKA_TLS_CA_FILE names /nowhere'],
    [
      { KAFKA_BROKERS: '', KAFKA_TLS: 'true' },
      'KAFKA_TLS or KAFKA_SASL_MECHANISM is set without KAFKA_BROKERS, but',
    ],
    [{ DATABASE_URL: 'postgres://a@127.0.0.1:1/a?sslmode=on' }, 'sslmode in DATABASE_URL must be'],
    [{ PORT: 'http' }, 'PORT is "http" but must be a number from 1 to 65535'],
    [{ HOST: '192.0.2.1' }, 'Annals cannot listen on 192.0.2.1'],
    [{ ANNALS_SECRET_KEY: 'short' }, 'ANNALS_SECRET_KEY must be 64 hexadecimal characters'],
    [
      { WEBHOOK_QUEUE_INTERVAL: 'often', API_EXPORT_LIMIT: '0', KAFKA_BROKERS: '127.0.0.1:1' },
      "API_EXPORT_LIMIT must be an integer from 1 to 100000, got '0'; WEBHOOK_QUEUE_INTERVAL must be",
    ],
    [{ ANNALS_SEED_FILE: '/nowhere/seed.json' }, 'The seed file /nowhere/seed.json does not exist'],
    [{ ANNALS_DATA_DIR: '/dev/null/x' }, '/dev/null/x is not a directory'],
  ])('rejects %o with one sentence', async (env, sentence) => {
    const run = await superviseFakeServices(dataDir, { ...sharedInfrastructure, ...env });

    expect(await run.exitCode).toBe(1);
    const [words, ...more] = run.output().trim().split('\n').slice(-1);
    expect(words).toContain(sentence);
    expect(words).not.toContain('secret@');
    expect(more).toEqual([]);
  });
});
