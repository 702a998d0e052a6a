import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';
import { readKafkaSecurity } from './kafka-security.ts';

const directory = mkdtempSync(join(tmpdir(), 'annals-kafka-'));
const inDirectory = (name: string): string => join(directory, name);
const [certificate, key] = [inDirectory('client.pem'), inDirectory('client.key')];
const [otherKey, lockedKey, noPem] = ['other.key', 'locked.key', 'no.pem'].map(inDirectory);

beforeAll(async () => {
  const { cert, private: own } = await generate([{ name: 'commonName', value: 'client' }]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const form = { type: 'pkcs8', format: 'pem' } as const;
  writeFileSync(certificate, cert);
  writeFileSync(key, own);
  writeFileSync(inDirectory('other.key'), privateKey.export(form));
  writeFileSync(
    inDirectory('locked.key'),
    privateKey.export({ ...form, cipher: 'aes-256-cbc', passphrase: 'secret' }),
  );
  writeFileSync(inDirectory('no.pem'), 'no certificate');
});
afterAll(() => rmSync(directory, { recursive: true }));

function read(env: Readonly<Record<string, string | undefined>>, brokers = ['kafka-1:9093']) {
  const reader = readEnv(env);
  const security = readKafkaSecurity(reader, brokers);
  reader.done();
  return security;
}

const scram = {
  KAFKA_SASL_MECHANISM: 'scram-sha-512',
  KAFKA_SASL_USERNAME: 'annals',
  KAFKA_SASL_PASSWORD: 's3cret',
};

describe('readKafkaSecurity', () => {
  it('uses neither TLS nor authentication by default', () => {
    expect(read({})).toEqual({ tls: undefined, account: undefined });
    expect(read({ KAFKA_TLS: 'false', KAFKA_SASL_MECHANISM: '' }).tls).toBeUndefined();
  });

  it('reads certificates and the password from files', () => {
    const password = inDirectory('password');
    writeFileSync(password, 's3cret\n');
    const security = read({
      ...scram,
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA_FILE: certificate,
      KAFKA_TLS_CERT_FILE: certificate,
      KAFKA_TLS_KEY_FILE: key,
      KAFKA_SASL_PASSWORD: '',
      KAFKA_SASL_PASSWORD_FILE: password,
    });
    expect(security).toEqual({
      tls: {
        authorities: expect.stringContaining('BEGIN CERTIFICATE'),
        client: {
          certificate: expect.stringContaining('BEGIN CERTIFICATE'),
          key: expect.stringContaining('PRIVATE KEY'),
        },
      },
      account: { mechanism: 'scram-sha-512', userName: 'annals', password: 's3cret' },
    });
  });

  it('allows SASL PLAIN only over TLS or on this machine', () => {
    const plain = { ...scram, KAFKA_SASL_MECHANISM: 'plain' };
    expect(read({ ...plain, KAFKA_TLS: 'true' }).account?.mechanism).toBe('plain');
    expect(read(plain, ['localhost:1', '127.0.0.1:1', '[::1]:1']).tls).toBeUndefined();
    expect(() => read(plain, ['localhost:1', '10.0.0.1:9092'])).toThrow(
      'KAFKA_SASL_MECHANISM=plain would send the password in the clear to 10.0.0.1:9092: set KAFKA_TLS=true, or use scram-sha-512; if the brokers are containers on this machine, set KAFKA_ON_THIS_MACHINE=true',
    );
    expect(() => read(plain, ['localhost.example:1'])).toThrow('in the clear');
    const isHere = { KAFKA_ON_THIS_MACHINE: 'true' };
    expect(read({ ...plain, ...isHere }, ['kafka:19092']).account?.mechanism).toBe('plain');
  });

  const tls = { KAFKA_TLS: 'true' };
  it.each([
    [{ KAFKA_TLS: 'yes' }, 'KAFKA_TLS must be true or false'],
    [{ KAFKA_TLS_CA_FILE: certificate }, 'KAFKA_TLS_CA_FILE is set, but KAFKA_TLS is not true'],
    [
      { ...tls, KAFKA_TLS_CA_FILE: '/nowhere' },
      'KAFKA_TLS_CA_FILE names /nowhere, which cannot be read (ENOENT)',
    ],
    [
      { ...tls, KAFKA_TLS_CA_FILE: noPem },
      'KAFKA_TLS_CA_FILE must name a certificate in PEM format',
    ],
    [
      { ...tls, KAFKA_TLS_CERT_FILE: certificate },
      'KAFKA_TLS_KEY_FILE is required with KAFKA_TLS_CERT_FILE',
    ],
    [
      { ...tls, KAFKA_TLS_KEY_FILE: key },
      'KAFKA_TLS_CERT_FILE is required with KAFKA_TLS_KEY_FILE',
    ],
    [
      { ...tls, KAFKA_TLS_CERT_FILE: certificate, KAFKA_TLS_KEY_FILE: otherKey },
      'KAFKA_TLS_KEY_FILE is not the key of the certificate in KAFKA_TLS_CERT_FILE',
    ],
    [
      { ...tls, KAFKA_TLS_CERT_FILE: certificate, KAFKA_TLS_KEY_FILE: lockedKey },
      'KAFKA_TLS_KEY_FILE must name a private key in PEM format without a passphrase',
    ],
    [
      { ...scram, KAFKA_SASL_MECHANISM: 'SCRAM' },
      "KAFKA_SASL_MECHANISM must be one of plain, scram-sha-256, scram-sha-512, got 'SCRAM'",
    ],
    [
      { ...scram, KAFKA_SASL_PASSWORD: '' },
      'KAFKA_SASL_PASSWORD is required with KAFKA_SASL_MECHANISM',
    ],
    [
      { ...scram, KAFKA_SASL_USERNAME: '' },
      'KAFKA_SASL_USERNAME is required with KAFKA_SASL_MECHANISM',
    ],
    [
      { ...scram, KAFKA_SASL_MECHANISM: '' },
      'KAFKA_SASL_USERNAME is set, but KAFKA_SASL_MECHANISM is not\n  KAFKA_SASL_PASSWORD is set, but KAFKA_SASL_MECHANISM is not',
    ],
  ])('rejects the settings %o', (env, problem) => {
    const attempt = () => read(env);
    expect(attempt).toThrow(`invalid configuration:\n  ${problem}`);
    expect(attempt).not.toThrow(/s3cret|PRIVATE/);
  });
});
