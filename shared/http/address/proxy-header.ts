import { isIP, type Socket } from 'node:net';

/** The header of the PROXY protocol, version 1, with the client's address. */
export function toProxyHeader({ remoteAddress, remotePort, localAddress, localPort }: Socket) {
  const version = isIP(remoteAddress ?? '');
  if (version === 0 || version !== isIP(localAddress ?? '')) return 'PROXY UNKNOWN\r\n';
  return `PROXY TCP${version} ${remoteAddress} ${localAddress} ${remotePort} ${localPort}\r\n`;
}

const form = /^PROXY (?:TCP[46] (\S+) \S+ \d+ \d+|UNKNOWN.*)\r\n$/;

/** The client's address; null if the sender knows none, undefined if the line is no header. */
export function readProxyHeader(line: string): string | null | undefined {
  const match = form.exec(line);
  return match === null ? undefined : (match[1] ?? null);
}
