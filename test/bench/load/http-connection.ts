import { connect } from 'node:net';

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

/** A persistent connection with one request at a time. */
export interface HttpConnection {
  /**
   * Calls back after the whole response; with an error for any status other than 200, or without a response.
   */
  exchange(request: Buffer | string, onAnswer: (error?: Error) => void): void;
  close(): void;
}

/**
 * HTTP over a plain socket: a load generator shares the machine with the server, and a real client would cost
 * as much as the server.
 */
export function openConnection({ host, port }: HttpAddress): Promise<HttpConnection> {
  return new Promise((resolve, reject) => {
    let pending: Buffer | undefined;
    let answer: (error?: Error) => void = () => undefined;
    const socket = connect({ host, port, noDelay: true }, () => {
      resolve({
        exchange(request, onAnswer) {
          answer = onAnswer;
          socket.write(request);
        },
        close() {
          answer = () => undefined;
          socket.destroy();
        },
      });
    });
    socket.once('error', reject);
    socket.on('error', (error) => answer(error));
    socket.on('close', () => answer(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      const received = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
      const verdict = checkResponse(received);
      pending = verdict === 'incomplete' ? received : undefined;
      if (verdict === 'complete') answer();
      if (verdict === 'wrong') answer(new Error(received.toString('utf8').slice(0, 1000)));
    });
  });
}

const OK = Buffer.from('HTTP/1.1 200');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

function checkResponse(received: Buffer): 'complete' | 'incomplete' | 'wrong' {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return 'incomplete';
  if (received.compare(OK, 0, OK.length, 0, OK.length) !== 0) return 'wrong';
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) return checkChunks(head, received);
  const missing = headEnd + HEAD_END.length + Number(length) - received.length;
  if (missing > 0) return 'incomplete';
  return missing === 0 ? 'complete' : 'wrong';
}

/** A line of JSON is never mistaken for the last chunk. */
function checkChunks(head: string, received: Buffer): 'complete' | 'incomplete' | 'wrong' {
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return 'wrong';
  return received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? 'complete' : 'incomplete';
}
