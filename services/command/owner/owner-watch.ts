import { request } from 'undici';

/** An instance neither responds nor refuses connections: it is paused, or its host is down. */
export class OwnerSilent extends Error {
  override readonly name = 'OwnerSilent';
}

const PING_EVERY_MS = 250;
/** A low value is safe: fencing an owner that is merely slow costs time, never data. */
const SILENT_AFTER_MS = 1_000;

type Waiting = (error: OwnerSilent) => void;

/**
 * Pings all owners continuously, so that a command for a silent owner fails immediately. By then, the client has
 * usually waited long enough: the load balancer first had to detect the silent process and close its connection.
 */
export class OwnerWatch {
  readonly #owners: () => Iterable<string>;
  readonly #pinging = new Set<string>();
  readonly #silent = new Set<string>();
  /** The commands in progress, by the address of their owner. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #timer: NodeJS.Timeout;

  /** `owners` returns the addresses of all instances that own a partition. */
  constructor(owners: () => Iterable<string>) {
    this.#owners = owners;
    this.#timer = setInterval(() => this.#pingAll(), PING_EVERY_MS);
  }

  isSilent(address: string): boolean {
    return this.#silent.has(address);
  }

  /** Resolves with the response. Rejects with OwnerSilent once the owner has been silent for a second. */
  async orSilent<Answer>(address: string, answer: Promise<Answer>): Promise<Answer> {
    const waiting = this.#waiting.get(address) ?? new Set();
    this.#waiting.set(address, waiting);
    const { promise: silent, reject: stop } = Promise.withResolvers<never>();
    waiting.add(stop);
    try {
      return await Promise.race([answer, silent]);
    } finally {
      waiting.delete(stop);
      if (waiting.size === 0) this.#waiting.delete(address);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #pingAll(): void {
    const addresses = new Set([...this.#owners(), ...this.#waiting.keys()]);
    for (const address of this.#silent) if (!addresses.has(address)) this.#silent.delete(address);
    for (const address of addresses) if (!this.#pinging.has(address)) void this.#ping(address);
  }

  async #ping(address: string): Promise<void> {
    this.#pinging.add(address);
    const lives = await isAlive(address);
    this.#pinging.delete(address);
    if (lives) this.#silent.delete(address);
    else this.#setSilent(address);
  }

  #setSilent(address: string): void {
    this.#silent.add(address);
    for (const reject of this.#waiting.get(address) ?? []) reject(new OwnerSilent(address));
  }
}

async function isAlive(address: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${address}/livez`, {
      signal: AbortSignal.timeout(SILENT_AFTER_MS),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
