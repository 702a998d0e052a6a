import { lookup as lookupByDns } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressGuard, literalOf, type Target } from '../../../../shared/net/address-guard.ts';

/** Every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

interface ConnectorOptions {
  readonly guard: AddressGuard;
  /** Name look-up, TCP and TLS together. */
  readonly timeoutMs: number;
  readonly lookup?: Lookup;
}

/** The name leads to an address that requests must not go to; no connection was opened. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'address refused';
}

class ConnectTimeout extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

/**
 * Opens connections to public addresses only (webhooks.md section 6). A name is resolved once, all of its addresses are
 * judged, and the connection goes to one that was judged, so that a name server cannot answer otherwise in between.
 * undici's own `lookup` option would not do: it is not asked for hosts that are addresses already.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { guard, timeoutMs, lookup = lookupAll } = options;
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });

  return (asked, callback) => {
    const attempt = new Attempt(connect, asked, callback);
    const timer = setTimeout(() => attempt.fail(new ConnectTimeout('connect timeout')), timeoutMs);
    timer.unref();
    addressesOf(asked, guard, lookup)
      .then((addresses) => attempt.run(addresses))
      .catch((error: unknown) => attempt.fail(toError(error)))
      .finally(() => clearTimeout(timer));
  };
}

async function addressesOf(
  { hostname, port, protocol }: buildConnector.Options,
  guard: AddressGuard,
  lookup: Lookup,
): Promise<readonly string[]> {
  const target: Target = {
    hostname: hostname.replace(/\.$/, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  const literal = literalOf(hostname);
  const addresses = literal === undefined ? await lookup(target.hostname) : [literal];
  // One bad address among them is enough: who answers for the name is not to be trusted.
  if (addresses.length > 0 && addresses.every((one) => guard.allows(target, one))) return addresses;
  throw new AddressRefused(`${hostname} leads to an address that is not allowed`);
}

async function lookupAll(hostname: string): Promise<readonly string[]> {
  const found = await lookupByDns(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
}

/** One connection wanted; the addresses are tried one after the other. */
class Attempt {
  readonly #connect: buildConnector.connector;
  readonly #asked: buildConnector.Options;
  #callback: buildConnector.Callback | undefined;

  constructor(
    connect: buildConnector.connector,
    asked: buildConnector.Options,
    callback: buildConnector.Callback,
  ) {
    this.#connect = connect;
    this.#asked = asked;
    this.#callback = callback;
  }

  async run(addresses: readonly string[]): Promise<void> {
    let failure: Error = new Error('no address');
    for (const address of addresses) {
      if (this.#callback === undefined) return;
      const socket = await this.#open(address).catch((error: unknown) => {
        failure = toError(error);
        return undefined;
      });
      if (socket !== undefined) return this.#succeed(socket);
    }
    this.fail(failure);
  }

  fail(error: Error): void {
    const callback = this.#callback;
    this.#callback = undefined;
    callback?.(error, null);
  }

  #open(address: string): Promise<Socket> {
    const { hostname } = this.#asked;
    const asked = isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, '') } : {};
    return new Promise((resolve, reject) => {
      this.#connect({ ...this.#asked, ...asked, hostname: address }, (error, socket) => {
        if (error !== null) reject(error);
        else if (isSame(socket.remoteAddress, address)) resolve(socket);
        else {
          socket.destroy();
          reject(new AddressRefused('the connection leads to another address'));
        }
      });
    });
  }

  #succeed(socket: Socket): void {
    const callback = this.#callback;
    this.#callback = undefined;
    if (callback === undefined) socket.destroy();
    else callback(null, socket);
  }
}

/** Systems with one stack for both show IPv4 as IPv6. */
function isSame(peer: string | undefined, address: string): boolean {
  return peer !== undefined && peer.replace(/^::ffff:(?=\d+\.)/, '') === address.toLowerCase();
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
