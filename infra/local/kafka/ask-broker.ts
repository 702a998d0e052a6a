import { connect } from 'node:net';
import type { KafkaAccount } from '../../../shared/kafka/kafka-security.ts';
import { int16, int32 } from './integers.ts';

const TIMEOUT_MS = 1_000;

export interface BrokerPlace {
  /** On the loopback interface. */
  readonly port: number;
  /** By the mechanism `plain`. */
  readonly account: KafkaAccount;
}

/**
 * Whether a broker answers, lets the account in, and counts itself as in service.
 *
 * Its port is open, and it answers requests, a moment before the controller has let it take part;
 * only then does it name itself in the metadata. The requests are written out here, because a start
 * script that only asks this one question should not need a Kafka client.
 */
export async function isBrokerInService({ port, account }: BrokerPlace): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    const finish = (verdict: boolean): void => {
      socket.destroy();
      resolve(verdict);
    };
    socket.setTimeout(TIMEOUT_MS, () => finish(false));
    socket.on('error', () => finish(false));
    // Of one that it does not let in, the broker closes the connection.
    socket.on('close', () => resolve(false));
    socket.on('connect', () => socket.write(Buffer.concat([...logIn(account), askMetadata])));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const metadata = findMetadata(received);
      // The list of brokers in service comes first, beginning with its length.
      if (metadata !== undefined) finish(metadata.readInt32BE(0) > 0);
    });
  });
}

const ids = { handshake: 1, authenticate: 2, metadata: 3 };

/** The user has no name to act under but his own: nothing stands before the first zero. */
function logIn({ userName, password }: KafkaAccount): readonly Buffer[] {
  const login = Buffer.from(`\0${userName}\0${password}`);
  return [
    encodeRequest({ key: 17, version: 1, id: ids.handshake }, [int16(5), Buffer.from('PLAIN')]),
    encodeRequest({ key: 36, version: 0, id: ids.authenticate }, [int32(login.length), login]),
  ];
}

/** Size, then api key, version, correlation id, a null client id, and what is asked. */
function encodeRequest(
  { key, version, id }: Readonly<Record<'key' | 'version' | 'id', number>>,
  body: readonly Buffer[],
): Buffer {
  const request = Buffer.concat([int16(key), int16(version), int32(id), int16(-1), ...body]);
  return Buffer.concat([int32(request.length), request]);
}

/** Of no topics. */
const askMetadata = encodeRequest({ key: 3, version: 1, id: ids.metadata }, [int32(0)]);

/** Its body, once it is complete. Each answer has its size, its correlation id and its body. */
function findMetadata(received: Buffer): Buffer | undefined {
  if (received.length < 8) return undefined;
  const end = 4 + received.readInt32BE(0);
  if (received.length < end) return undefined;
  if (received.readInt32BE(4) === ids.metadata) return received.subarray(8, end);
  return findMetadata(received.subarray(end));
}
