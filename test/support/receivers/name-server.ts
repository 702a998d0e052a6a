import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns a name server's response to the n-th query (from 0) for a record type of a name. */
type Answers = (kind: 'A' | 'AAAA', nth: number) => readonly string[] | 'silence' | 'failure';

export interface NameServer {
  /** `address:port`. */
  readonly address: string;
  put(name: string, answers: Answers): void;
  /** Record types of the received queries for a name, such as `A` and `AAAA`. */
  queries(name: string): readonly string[];
  close(): Promise<void>;
}

const kinds: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const HEADER_BYTES = 12;

/** Starts a name server on a free loopback port. Unknown names do not exist. */
export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, Answers>();
  const received = new Map<string, string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const kind = kinds[type];
    const before = received.get(name) ?? [];
    if (kind !== undefined) received.set(name, [...before, kind]);
    const nth = before.filter((one) => one === kind).length;
    const answers = kind && names.get(name)?.(kind, nth);
    if (answers === 'silence') return;
    socket.send(toReply(query.subarray(0, end), type, answers ?? 'unknown'), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    put: (name, answers) => void names.set(name, answers),
    queries: (name) => received.get(name) ?? [],
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** RFC 1035, section 4: the question, followed by each address for the name at offset 12. */
function toReply(
  question: Buffer,
  type: number,
  answers: readonly string[] | 'failure' | 'unknown',
): Buffer {
  const addresses = typeof answers === 'string' ? [] : answers;
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8180 + { failure: 2, unknown: 3, found: 0 }[toResult(answers)], 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((text) => {
    const bytes = ipaddr.parse(text).toByteArray();
    return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
  });
  return Buffer.concat([header, ...records]);
}

function toResult(answers: readonly string[] | 'failure' | 'unknown') {
  return typeof answers === 'string' ? answers : 'found';
}
