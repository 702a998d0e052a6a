import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TargetAddress } from './config.ts';

const CHECK_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 600;
/** Longer than an api waits for Postgres before it reports that it is not ready. */
const READY_WITHIN_MS = 1_500;
const CONNECT_TIMEOUT_MS = 1_000;
/**
 * The number of consecutive missed checks that make a process silent. A single miss may be the load balancer's own
 * fault: after a delay, its timeouts fire before it reads the responses.
 */
const SILENT_AFTER_MISSES = 2;

/**
 * The state of an api process, from its responses to `/livez`:
 *
 *   alive ──missed check──▶ doubtful ──second missed check──▶ silent
 *     ▲                         │                                │
 *     └────────responds─────────┴────────────────────────────────┘
 *
 * A doubtful process may just be busy: it keeps its connections, and gets new ones only while no other process is
 * ready. While another process is alive, a silent one gets no connections, and its open ones are cut: a client whose
 * connection ends can retry, but a client of a paused process would wait. If all are silent, the machine is probably
 * busy, and cutting connections would not help. Readiness is checked separately: an api that waits for Postgres is not
 * ready, but keeps its connections.
 */
export class ApiTarget {
  readonly name: string;
  readonly #at: TargetAddress;
  readonly #log: Logger;
  readonly #isAnyAlive: () => boolean;
  readonly #stopping = new AbortController();
  readonly #open = new Set<Socket>();
  #misses = 0;
  #isReady = true;

  constructor(at: TargetAddress, log: Logger, isAnyAlive: () => boolean) {
    this.#at = at;
    this.name = `${at.host}:${at.port}`;
    this.#log = log.child({ target: this.name });
    this.#isAnyAlive = isAnyAlive;
    void this.#keepChecking(this.#checkLiveness);
    void this.#keepChecking(this.#checkReadiness);
  }

  get isAlive(): boolean {
    return this.#misses < SILENT_AFTER_MISSES;
  }

  /** False while the process starts or stops, is doubtful, or lacks a dependency. */
  get isReady(): boolean {
    return this.#isReady && this.#misses === 0;
  }

  get load(): number {
    return this.#open.size;
  }

  /** Returns an open connection, or undefined if the process does not accept one. */
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

  async #keepChecking(check: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const next = performance.now() + CHECK_EVERY_MS;
      await check();
      const rest = Math.max(0, next - performance.now());
      await sleep(rest, undefined, { signal }).catch(() => undefined);
    }
  }

  readonly #checkLiveness = async (): Promise<void> => {
    const wasAlive = this.isAlive;
    const status = await this.#requestStatus('/livez', ANSWER_WITHIN_MS);
    this.#misses = status === undefined ? this.#misses + 1 : 0;
    const { isAlive } = this;
    if (isAlive !== wasAlive) this.#log.warn({ isAlive }, 'api process changed');
    if (isAlive || !this.#isAnyAlive()) return;
    for (const socket of this.#open) socket.resetAndDestroy();
  };

  readonly #checkReadiness = async (): Promise<void> => {
    this.#isReady = (await this.#requestStatus('/readyz', READY_WITHIN_MS)) === 200;
  };

  /** Returns the status of the response, or undefined if none arrives in time. */
  async #requestStatus(path: string, timeoutMs: number): Promise<number | undefined> {
    const { host, internalPort } = this.#at;
    try {
      const response = await fetch(`http://${host}:${internalPort}${path}`, {
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined;
    }
  }
}
