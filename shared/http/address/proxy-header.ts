import { isIP, type Socket } from 'node:net';
import type { ProxySignature } from './proxy-signature.ts';

/** Returns a PROXY protocol version 1 header with the client's address. */
export function toProxyHeader({ remoteAddress, remotePort, localAddress, localPort }: Socket) {
  const version = isIP(remoteAddress ?? '');
  if (version === 0 || version !== isIP(localAddress ?? '')) return 'PROXY UNKNOWN\r\n';
  return `PROXY TCP${version} ${remoteAddress} ${localAddress} ${remotePort} ${localPort}\r\n`;
}

/** The longest version 1 header including its line end, plus the longest signature before it. */
export const MAX_PROXY_HEADER_BYTES = 107 + 90;

const form =
  /^(?:ANNALS (?<timeMs>\d{1,15}) (?<mac>[0-9a-f]{64})\r\n)?(?<header>PROXY (?:TCP(?<version>[46]) (?<client>\S+) (?<own>\S+) (?<ports>\d{1,5} \d{1,5})|UNKNOWN[^\r\n]*)\r\n)/;

export interface ProxyHeader {
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
