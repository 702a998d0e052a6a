import { connect } from 'node:net';

const correlationId = 7;
const metadataKey = 3;
const metadataVersion = 1;

/**
 * Whether a broker answers and counts itself as in service.
 *
 * Its port is open, and it answers requests, a moment before the controller has let it take part;
 * only then does it name itself in the metadata. The request is written out here, because a start
 * script that only asks this one question should not need a Kafka client.
 */
export async function isBrokerInService(
  port: number,
  timeoutMs = 1_000,
  host = '127.0.0.1',
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    let answer = Buffer.alloc(0);
    const finish = (verdict: boolean): void => {
      socket.destroy();
      resolve(verdict);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => resolve(false));
    socket.on('connect', () => socket.write(encodeMetadataRequest()));
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      const brokers = decodeBrokerCount(answer);
      if (brokers !== undefined) finish(brokers > 0);
    });
  });
}

/** Size, then api key, version, correlation id, a null client id, and an empty list of topics. */
function encodeMetadataRequest(): Buffer {
  const request = Buffer.alloc(4 + 14);
  request.writeInt32BE(14, 0);
  request.writeInt16BE(metadataKey, 4);
  request.writeInt16BE(metadataVersion, 6);
  request.writeInt32BE(correlationId, 8);
  request.writeInt16BE(-1, 12);
  request.writeInt32BE(0, 14);
  return request;
}

/** Size, correlation id, then the list of brokers in service, of which the length is enough. */
function decodeBrokerCount(answer: Buffer): number | undefined {
  if (answer.length < 12) return undefined;
  return answer.readInt32BE(4) === correlationId ? answer.readInt32BE(8) : 0;
}
