import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TargetAddress } from './config.ts';

const ASK_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 600;
/** Longer than an api asks Postgres before it says that it is not ready. */
const READY_WITHIN_MS = 1_500;
const CONNECT_TIMEOUT_MS = 1_000;
/** In a row. The first one may be missed because the load balancer itself was held up: time-outs come before answers then. */
const SILENT_AFTER_MISSES = 2;

/**
 * An api process as the load balancer sees it, by whether it answers that it lives:
 *
 *   alive ──a question missed──▶ doubtful ──the next one too──▶ silent
 *     ▲                             │                              │
 *     └──────────answers────────────┴──────────────────────────────┘
 *
 * A doubtful one may just be busy: it keeps what it has, and gets more only while no other one is ready. While another one
 * lives, a silent one gets nothing, and its connections are cut: a client that is told can ask again, one that waits for a
 * paused process cannot. Where all are silent it is rather the machine that is busy, and nobody would be better off.
 * Readiness is asked for beside that, since an api waits for Postgres to answer: no reason to cut anybody off.
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
    void this.#keepAsking(this.#askLife);
    void this.#keepAsking(this.#askReadiness);
  }

  get isAlive(): boolean {
    return this.#misses < SILENT_AFTER_MISSES;
  }

  /** Not while it starts or stops, nor while it is in doubt, or lacks something that its neighbours may have. */
  get isReady(): boolean {
    return this.#isReady && this.#misses === 0;
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

  async #keepAsking(ask: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const next = performance.now() + ASK_EVERY_MS;
      await ask();
      const rest = Math.max(0, next - performance.now());
      await sleep(rest, undefined, { signal }).catch(() => undefined);
    }
  }

  readonly #askLife = async (): Promise<void> => {
    const wasAlive = this.isAlive;
    const status = await this.#ask('/livez', ANSWER_WITHIN_MS);
    this.#misses = status === undefined ? this.#misses + 1 : 0;
    const { isAlive } = this;
    if (isAlive !== wasAlive) this.#log.warn({ isAlive }, 'api process changed');
    if (isAlive || !this.#isAnyAlive()) return;
    for (const socket of this.#open) socket.resetAndDestroy();
  };

  readonly #askReadiness = async (): Promise<void> => {
    this.#isReady = (await this.#ask('/readyz', READY_WITHIN_MS)) === 200;
  };

  /** The status of the answer; undefined if there is none in time. */
  async #ask(path: string, timeoutMs: number): Promise<number | undefined> {
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
