import { connect } from 'node:net';
import { errorCode, OperatorError } from './operator-error.ts';
import { askDatabase } from './postgres/ask-database.ts';

const connectTimeoutMs = 3_000;

/** One broker that accepts a connection is enough: it names the others. */
export async function checkKafkaBrokers(brokers: string): Promise<void> {
  const verdicts = await Promise.all(brokers.split(',').map(async (each) => knock(each.trim())));
  if (verdicts.includes('answers')) return;
  throw new OperatorError(
    `KAFKA_BROKERS names ${brokers}, but nothing answers there (${[...new Set(verdicts)].join(', ')}): start that Kafka, correct the address, or unset KAFKA_BROKERS to let Annals start its own.`,
  );
}

/** By a real query, for a server that answers may still refuse the user or lack the database. */
export async function checkDatabaseUrl(url: string): Promise<void> {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    throw new OperatorError(
      'DATABASE_URL is not an address of the form postgres://user:password@host:port/database: correct it, or unset it to let Annals start its own Postgres.',
    );
  }
  const verdict = await askDatabase(url);
  if (verdict === 'answers') return;
  const { host, pathname } = new URL(url);
  throw new OperatorError(
    `DATABASE_URL names database ${pathname.slice(1)} at ${host}, which does not answer (${verdict}): start that Postgres, correct the address, or unset DATABASE_URL to let Annals start its own.`,
  );
}

async function knock(broker: string): Promise<string> {
  const { host, port } = splitAddress(broker);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return `${broker} has no port`;
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.setTimeout(connectTimeoutMs, () => socket.destroy());
    socket.on('connect', () => {
      resolve('answers');
      socket.destroy();
    });
    socket.on('error', (error) => resolve(errorCode(error) ?? error.message));
    socket.on('close', () => resolve('no answer'));
  });
}

function splitAddress(broker: string): { readonly host: string; readonly port: number } {
  const colon = broker.lastIndexOf(':');
  const host = broker.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return { host, port: Number(broker.slice(colon + 1)) };
}
