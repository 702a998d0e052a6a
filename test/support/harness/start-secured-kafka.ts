import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import { startKafka } from '../../../infra/local/kafka/start-kafka.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { createKafkajsClient } from '../../../shared/kafka/connection.ts';
import { createAuthority } from '../receivers/certificates.ts';
import type { DocumentedRight } from './documented-rights.ts';

export interface SecuredKafka {
  /**
   * `localhost:port` of the listener with TLS and accounts, and of the one that requires client certificates.
   */
  readonly secured: string;
  readonly mutual: string;
  /** Listener without TLS and account, whose clients have no permissions. */
  readonly open: string;
  readonly files: Readonly<Record<'authority' | 'clientCertificate' | 'clientKey', string>>;
  stop(): Promise<void>;
}

export const account = { userName: 'annals-service', password: 'correct-horse-battery' };
/** A user with the same password and no permissions. */
export const stranger = 'stranger';

/**
 * Lifetime of SASL sessions. kafkajs reauthenticates 10 s before the end, and brokers accept that once per
 * second.
 */
const SESSION_MS = 12_000;
const log = pino({ level: 'silent' });

/** Starts one broker, which denies everything except `rights` for `account.userName`. */
export async function startSecuredKafka(
  dataDir: string,
  rights: readonly DocumentedRight[],
): Promise<SecuredKafka> {
  const names = ['port', 'controllerPort', 'open', 'secured', 'mutual'] as const;
  const ports = await choosePorts(names, {});
  const files = await writeCertificates(dataDir);
  const { access, stop } = await startKafka({
    dataDir: join(dataDir, 'kafka'),
    port: ports.port,
    controllerPort: ports.controllerPort,
    settings: toSettings(ports, files),
    formatArguments: [account.userName, stranger].flatMap((name) => [
      '--add-scram',
      `SCRAM-SHA-512=[name=${name},password=${account.password}]`,
    ]),
  });
  await allow(access, rights);
  const open = `127.0.0.1:${ports.open}`;
  const [secured, mutual] = [`localhost:${ports.secured}`, `localhost:${ports.mutual}`];
  return { secured, mutual, open, files, stop };
}

type Ports = Readonly<Record<'port' | 'controllerPort' | 'open' | 'secured' | 'mutual', number>>;
type Files = Awaited<ReturnType<typeof writeCertificates>>;

async function writeCertificates(directory: string) {
  const authority = await createAuthority();
  const server = await authority.issue('localhost');
  const client = await authority.issue(account.userName);
  const files = {
    authority: join(directory, 'authority.pem'),
    server: join(directory, 'server.pem'),
    clientCertificate: join(directory, 'client.pem'),
    clientKey: join(directory, 'client.key'),
  };
  writeFileSync(files.authority, authority.cert);
  writeFileSync(files.server, `${server.key}\n${server.cert}`);
  writeFileSync(files.clientCertificate, client.cert);
  writeFileSync(files.clientKey, client.key);
  return files;
}

function toSettings(ports: Ports, files: Files): Readonly<Record<string, string>> {
  const here = '127.0.0.1';
  const security = 'org.apache.kafka.common.security';
  return {
    listeners: `CLIENT://${here}:${ports.port},CONTROLLER://${here}:${ports.controllerPort},OPEN://${here}:${ports.open},SECURED://${here}:${ports.secured},MUTUAL://${here}:${ports.mutual}`,
    'advertised.listeners': `CLIENT://${here}:${ports.port},OPEN://${here}:${ports.open},SECURED://localhost:${ports.secured},MUTUAL://localhost:${ports.mutual}`,
    'listener.security.protocol.map':
      'CONTROLLER:SASL_PLAINTEXT,CLIENT:SASL_PLAINTEXT,OPEN:PLAINTEXT,SECURED:SASL_SSL,MUTUAL:SSL',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': files.server,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': files.authority,
    'ssl.principal.mapping.rules': 'RULE:^CN=(.*)$/$1/',
    'listener.name.mutual.ssl.client.auth': 'required',
    'listener.name.secured.sasl.enabled.mechanisms': 'SCRAM-SHA-512,PLAIN',
    'listener.name.secured.scram-sha-512.sasl.jaas.config': `${security}.scram.ScramLoginModule required;`,
    'listener.name.secured.plain.sasl.jaas.config': `${security}.plain.PlainLoginModule required user_${account.userName}="plain-secret";`,
    'listener.name.secured.connections.max.reauth.ms': `${SESSION_MS}`,
  };
}

async function allow(access: KafkaAccess, rights: readonly DocumentedRight[]): Promise<void> {
  const admin = createKafkajsClient(toKafkaAddress(access, 'acls'), log).admin();
  await admin.connect();
  const principal = `User:${account.userName}`;
  await admin.createAcls({ acl: rights.map((right) => ({ ...right, principal, host: '*' })) });
  await admin.disconnect();
}
