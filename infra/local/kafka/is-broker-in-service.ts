import { connect } from 'node:net';
import type { KafkaAccount } from '../../../shared/kafka/kafka-security.ts';
import { int16, int32 } from './integers.ts';

const TIMEOUT_MS = 1_000;

export interface BrokerPlace {
  /** On the loopback interface. */
  readonly port: number;
  /** Authenticates by the mechanism `plain`. */
  readonly account: KafkaAccount;
}

/**
 * Returns whether a broker responds, accepts the account, and lists itself as in service.
 *
 * A broker opens its port and responds to requests shortly before the controller has registered it; only then does it
 * list itself in the metadata. The requests are encoded here, because a start script that sends only this one query
 * should not need a Kafka client.
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
    // The broker closes the connection if it rejects the account.
    socket.on('close', () => resolve(false));
    socket.on('connect', () => socket.write(Buffer.concat([...logIn(account), metadataRequest])));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const metadata = findMetadata(received);
      // The list of running brokers comes first, beginning with its length.
      if (metadata !== undefined) finish(metadata.readInt32BE(0) > 0);
    });
  });
}

const ids = { handshake: 1, authenticate: 2, metadata: 3 };

/** The authorization id before the first zero byte is empty: the user acts as itself. */
function logIn({ userName, password }: KafkaAccount): readonly Buffer[] {
  const login = Buffer.from(`\0${userName}\0${password}`);
  return [
    encodeRequest({ key: 17, version: 1, id: ids.handshake }, [int16(5), Buffer.from('PLAIN')]),
    encodeRequest({ key: 36, version: 0, id: ids.authenticate }, [int32(login.length), login]),
  ];
}

/** Encodes the size, API key, version, correlation id, a null client id, and the body. */
function encodeRequest(
  { key, version, id }: Readonly<Record<'key' | 'version' | 'id', number>>,
  body: readonly Buffer[],
): Buffer {
  const request = Buffer.concat([int16(key), int16(version), int32(id), int16(-1), ...body]);
  return Buffer.concat([int32(request.length), request]);
}

/** Requests the metadata of no topics. */
const metadataRequest = encodeRequest({ key: 3, version: 1, id: ids.metadata }, [int32(0)]);

/**
 * Returns the body of the metadata response once it is complete. Each response has its size, its correlation id and
 * its body.
 */
function findMetadata(received: Buffer): Buffer | undefined {
  if (received.length < 8) return undefined;
  const end = 4 + received.readInt32BE(0);
  if (received.length < end) return undefined;
  if (received.readInt32BE(4) === ids.metadata) return received.subarray(8, end);
  return findMetadata(received.subarray(end));
}
