import { connect, type Socket } from 'node:net';
import { isSameAddress, parseAddress } from '../address-rules.ts';

/** Thrown instead of connecting to a forbidden target. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

interface Destination {
  /** The addresses that were checked. Connections go only to these. */
  readonly addresses: readonly string[];
  readonly port: number;
}

/** RFC 8305, section 5. */
const NEXT_ATTEMPT_MS = 250;
/** A name may have thousands of addresses. */
const MAX_ATTEMPTS = 6;

/**
 * Connects to the first address that accepts a connection. Tries the next address when the previous one has failed, or
 * has not accepted within 250 ms. Earlier attempts continue in the meantime: Node's `autoSelectFamily` would end them,
 * and thus exclude a distant but healthy server. Aborting the signal ends all attempts.
 */
export function connectFirst(
  { addresses, port }: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const waiting = inTurns(addresses).slice(0, MAX_ATTEMPTS);
  const pending = new Set<Socket>();
  let next: NodeJS.Timeout | undefined;

  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(next);
      signal.removeEventListener('abort', onAbort);
      for (const socket of pending) socket.destroy();
      settle();
    };
    const onAbort = () => finish(() => reject(signal.reason));
    const onFailure = (socket: Socket, error: Error) => {
      if (!pending.delete(socket)) return;
      if (pending.size === 0 && waiting.length === 0) finish(() => reject(error));
      else attempt();
    };

    function attempt(): void {
      clearTimeout(next);
      const address = waiting.shift();
      if (address === undefined) return;
      const socket = connect({ host: address, port, noDelay: true, keepAlive: true });
      pending.add(socket);
      socket.on('error', (error) => onFailure(socket, error));
      socket.once('connect', () => {
        if (!isSameAddress(parseAddress(socket.remoteAddress ?? ''), parseAddress(address))) {
          socket.destroy(new AddressRefused('the peer has a different address'));
        } else if (pending.delete(socket)) finish(() => resolve(socket));
      });
      next = setTimeout(attempt, NEXT_ATTEMPT_MS);
    }

    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    attempt();
  });
}

/** Alternates between IPv6 and IPv4, so that a family without a route costs one attempt. */
function inTurns(addresses: readonly string[]): string[] {
  const [six, four] = [true, false].map((isSix) =>
    addresses.filter((address) => address.includes(':') === isSix),
  );
  return addresses
    .flatMap((_, index) => [six?.[index], four?.[index]])
    .filter((one) => one !== undefined);
}
