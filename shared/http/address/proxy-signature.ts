import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../secrets/derive-key.ts';

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

/** Limits how long another process that takes over a port could reuse captured signatures. */
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
