import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FrontTarget } from './config.ts';

const ASK_EVERY_MS = 250;
const SILENT_AFTER_MS = 1_000;
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * An api process as the front sees it: alive ──no answer for a second──▶ silent ──answers──▶ alive.
 * A silent one gets no new connections, and those it has are cut: a client that is told can ask again, one that waits
 * for a paused process cannot.
 */
export class Target {
  readonly name: string;
  readonly #at: FrontTarget;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #open = new Set<Socket>();
  #isAlive = true;
  #isReady = true;

  constructor(at: FrontTarget, log: Logger) {
    this.#at = at;
    this.name = `${at.host}:${at.port}`;
    this.#log = log.child({ target: this.name });
    void this.#watch();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Not while it starts or stops, nor while it lacks something that its neighbours may have. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get load(): number {
    return this.#open.size;
  }

  /** An open connection, or undefined if the process takes none. */
  connect(): Promise<Socket | undefined> {
    const { host, port } = this.#at;
    return new Promise((resolve) => {
      const socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
      const giveUp = (): void => {
        socket.destroy();
        resolve(undefined);
      };
      socket.setTimeout(CONNECT_TIMEOUT_MS, giveUp);
      socket.once('error', giveUp);
      socket.once('connect', () => {
        socket.setTimeout(0);
        socket.off('error', giveUp);
        this.#open.add(socket);
        socket.once('close', () => this.#open.delete(socket));
        resolve(socket);
      });
    });
  }

  close(): void {
    this.#stopping.abort();
    for (const socket of this.#open) socket.destroy();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const readyStatus = await this.#ask();
      const isAlive = readyStatus !== undefined;
      this.#isReady = readyStatus === 200;
      if (isAlive !== this.#isAlive) this.#log.warn({ isAlive }, 'api process changed');
      this.#isAlive = isAlive;
      if (!isAlive) for (const socket of this.#open) socket.resetAndDestroy();
      await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The status of its readiness; undefined if it does not answer. */
  async #ask(): Promise<number | undefined> {
    const { host, internalPort } = this.#at;
    try {
      const response = await fetch(`http://${host}:${internalPort}/readyz`, {
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SILENT_AFTER_MS)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined;
    }
  }
}
