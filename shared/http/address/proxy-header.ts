import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { deriveKey } from '../../secrets/derive-key.ts';

/** Returns a PROXY protocol version 1 header with the client's address. */
export function toProxyHeader({ remoteAddress, remotePort, localAddress, localPort }: Socket) {
  const version = isIP(remoteAddress ?? '');
  if (version === 0 || version !== isIP(localAddress ?? '')) return 'PROXY UNKNOWN\r\n';
  return `PROXY TCP${version} ${remoteAddress} ${localAddress} ${remotePort} ${localPort}\r\n`;
}

/** The length of the longest version 1 header with its line end, plus the longest signature before it. */
export const MAX_PROXY_HEADER_BYTES = 107 + 90;

const form =
  /^(?:ANNALS (?<timeMs>\d{1,15}) (?<mac>[0-9a-f]{64})\r\n)?(?<header>PROXY (?:TCP(?<version>[46]) (?<client>\S+) (?<own>\S+) (?<ports>\d{1,5} \d{1,5})|UNKNOWN[^\r\n]*)\r\n)/;

interface ProxyHeader {
  /** The client's address; null if the sender does not know it. */
  readonly address: string | null;
  readonly length: number;
}

/** Parses the header at the start of `text`. Returns undefined if it is invalid or lacks the required signature. */
export function readProxyHeader(text: string, signature?: ProxySignature): ProxyHeader | undefined {
  const match = form.exec(text);
  if (match?.groups === undefined || !isAccepted(match.groups, signature)) return undefined;
  const length = match[0].length;
  const { version, client, own, ports } = match.groups;
  if (version === undefined) return { address: null, length };
  const areAddresses = [client, own].every((one = '') => isIP(one) === Number(version));
  const arePorts = (ports ?? '').split(' ').every((port) => Number(port) <= 65_535);
  return areAddresses && arePorts ? { address: client ?? null, length } : undefined;
}

function isAccepted(
  { timeMs, mac, header }: Readonly<Record<string, string | undefined>>,
  signature: ProxySignature | undefined,
): boolean {
  if (signature === undefined) return true;
  if (timeMs === undefined || mac === undefined || header === undefined) return false;
  return signature.isValid({ timeMs: Number(timeMs), mac, header });
}

/** Proves that a PROXY header comes from a load balancer of this installation. */
export interface ProxySignature {
  /** Returns the line that precedes the header. */
  sign(header: string): string;
  isValid(signed: {
    readonly timeMs: number;
    readonly mac: string;
    readonly header: string;
  }): boolean;
}

/** Limits how long a process that takes over a port could reuse captured signatures. */
const MAX_AGE_MS = 300_000;

/** `masterKeyHex` is the installation's key. */
export function createProxySignature(
  masterKeyHex: string,
  now: () => number = Date.now,
): ProxySignature {
  const key = deriveKey(masterKeyHex, 'annals proxy header v1');
  const macOf = (timeMs: number, header: string) =>
    createHmac('sha256', key).update(`${timeMs} ${header}`).digest();
  return {
    sign(header) {
      const timeMs = now();
      return `ANNALS ${timeMs} ${macOf(timeMs, header).toString('hex')}\r\n`;
    },
    isValid({ timeMs, mac, header }) {
      if (Math.abs(now() - timeMs) > MAX_AGE_MS) return false;
      return timingSafeEqual(macOf(timeMs, header), Buffer.from(mac, 'hex'));
    },
  };
}
