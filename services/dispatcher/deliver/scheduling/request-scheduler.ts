/**
 * Starts the requests of all partitions of a process. Each webhook has a queue with one request in flight. Queues take
 * turns, regardless of their partition:
 *
 *   ready ──its turn──▶ prepare ──nothing to send──▶ the next task of the queue
 *     ▲ ▲                 ├── host at its limit ──▶ waits for a request to this host to end
 *     │ │                 ├── no quota for any task of the queue ──▶ waits for the next run
 *     │ │                 ▼
 *     │ └─── ended ◀── in flight      no turns while all requests of the process are in use
 *     └── a task was added to an empty queue
 */
import type { Room } from '../progress/in-flight-window.ts';
import type { RequestKind, RunQuota } from './run-quota.ts';

export interface ScheduledRequest {
  /** The origin of the request's url. */
  readonly origin: string;
  run(): Promise<void>;
}

/** The owner of a partition's queues: the delivery of that partition. */
export interface RequestSource<Task> {
  kindOf(task: Task): RequestKind;
  /**
   * Called for a queue's first task when it is the queue's turn. Returns the task's request, or undefined if the task
   * ended without one. May be called again for the same task while a limit is reached.
   */
  prepare(task: Task): ScheduledRequest | undefined;
  /** Called when a request has ended, so that there may be room again. */
  onRoom(): void;
  onBug(error: unknown): void;
}

interface ConcurrencyLimits {
  readonly inTotal: number;
  readonly perHost: number;
}

export interface QueueBacklog extends Room {
  /** True if the endpoint hangs, or if other queues would have to wait too long for this queue's backlog. */
  readonly isSlow: boolean;
}

/**
 * A queue is slow if its running request takes longer than the first limit, or if emptying the queue would take longer
 * than the second.
 */
const SLOW_REQUEST_MS = 2_000;
const SLOW_QUEUE_MS = 60_000;
/** The weight of the newest request in the moving average. */
const NEWEST_SHARE = 0.2;

interface Queue<Task> {
  readonly id: string;
  readonly owner: WebhookQueues<Task>;
  readonly waiting: { readonly task: Task; readonly bytes: number }[];
  bytes: number;
  busySince: number | undefined;
  averageMs: number;
  /** The host whose free capacity led to this turn. If the queue does not use the capacity, another queue gets it. */
  calledBy: Host<Task> | undefined;
}

interface Host<Task> {
  inFlight: number;
  readonly waiting: Queue<Task>[];
}

export class RequestScheduler<Task> {
  readonly #limits: ConcurrencyLimits;
  readonly #quota: RunQuota;
  readonly #ready: Queue<Task>[] = [];
  readonly #withoutQuota = new Set<Queue<Task>>();
  readonly #hosts = new Map<string, Host<Task>>();
  #inFlight = 0;

  constructor(limits: ConcurrencyLimits, quota: RunQuota) {
    this.#limits = limits;
    this.#quota = quota;
  }

  open(source: RequestSource<Task>): WebhookQueues<Task> {
    return new WebhookQueues(source, (queue, task) => this.#onAdded(queue, task));
  }

  readonly inFlight = (): number => this.#inFlight;

  startRun(): void {
    this.#quota.startRun();
    this.#ready.push(...this.#withoutQuota);
    this.#withoutQuota.clear();
    this.#startRequests();
  }

  #onAdded(queue: Queue<Task>, task: Task | undefined): void {
    const isFirst = task === undefined;
    const hasQuota = !isFirst && this.#quota.has(queue.owner.source.kindOf(task));
    if (isFirst || (hasQuota && this.#withoutQuota.delete(queue))) this.#ready.push(queue);
    this.#startRequests();
  }

  #startRequests(): void {
    while (this.#inFlight < this.#limits.inTotal) {
      const queue = this.#ready.shift();
      if (queue === undefined) return;
      const { calledBy } = queue;
      queue.calledBy = undefined;
      const host = this.#startNext(queue);
      if (calledBy !== undefined && calledBy !== host) this.#callNext(calledBy);
    }
  }

  /** Starts the queue's next request. Returns the request's host; undefined if no request was started. */
  #startNext(queue: Queue<Task>): Host<Task> | undefined {
    const { owner, waiting } = queue;
    for (let [next] = waiting; next !== undefined && !owner.isStopped; [next] = waiting) {
      const request = owner.source.prepare(next.task);
      if (request === undefined) {
        removeFirst(queue);
        continue;
      }
      const host = this.#hosts.get(request.origin) ?? { inFlight: 0, waiting: [] };
      if (host.inFlight >= this.#limits.perHost) {
        host.waiting.push(queue);
        return undefined;
      }
      if (this.#quota.take(owner.source.kindOf(next.task))) {
        removeFirst(queue);
        this.#hosts.set(request.origin, host);
        void this.#run(queue, host, request);
        return host;
      }
      if (!this.#bringForward(queue)) {
        this.#withoutQuota.add(queue);
        return undefined;
      }
    }
    owner.closeIfEmpty(queue);
    return undefined;
  }

  /** Moves the first task with quota to the front. Returns false if no task has quota. */
  #bringForward({ owner, waiting }: Queue<Task>): boolean {
    const at = waiting.findIndex(({ task }) => this.#quota.has(owner.source.kindOf(task)));
    if (at !== -1) waiting.unshift(...waiting.splice(at, 1));
    return at !== -1;
  }

  /**
   * Gives a turn to one of the queues that wait for the host, so that no capacity stays idle. The others continue to
   * wait.
   */
  #callNext(host: Host<Task>): void {
    if (host.inFlight >= this.#limits.perHost) return;
    const next = host.waiting.shift();
    if (next === undefined) return;
    next.calledBy = host;
    this.#ready.push(next);
  }

  async #run(queue: Queue<Task>, host: Host<Task>, request: ScheduledRequest): Promise<void> {
    const { owner } = queue;
    const begin = Date.now();
    queue.busySince = begin;
    this.#inFlight += 1;
    host.inFlight += 1;
    owner.inFlight += 1;
    await request.run().catch((error) => owner.source.onBug(error));
    queue.busySince = undefined;
    queue.averageMs += NEWEST_SHARE * (Date.now() - begin - queue.averageMs);
    this.#inFlight -= 1;
    host.inFlight -= 1;
    owner.inFlight -= 1;
    // Must come before the next request from this queue, so that the queues of a host take turns.
    this.#callNext(host);
    if (queue.waiting.length > 0) this.#ready.push(queue);
    else owner.closeIfEmpty(queue);
    if (host.inFlight === 0 && host.waiting.length === 0) this.#hosts.delete(request.origin);
    this.#startRequests();
    owner.onEnded();
  }
}

/** The queues of one partition, by id. */
export class WebhookQueues<Task> {
  readonly source: RequestSource<Task>;
  isStopped = false;
  inFlight = 0;
  readonly #queues = new Map<string, Queue<Task>>();
  /** Called for each added task. `task` is undefined if the queue is new. */
  readonly #onAdded: (queue: Queue<Task>, task?: Task) => void;
  readonly #drained = Promise.withResolvers<void>();

  constructor(source: RequestSource<Task>, onAdded: (queue: Queue<Task>, task?: Task) => void) {
    this.source = source;
    this.#onAdded = onAdded;
  }

  add(id: string, task: Task, bytes: number): void {
    const known = this.#queues.get(id);
    const queue = known ?? {
      id,
      owner: this,
      waiting: [],
      bytes: 0,
      busySince: undefined,
      averageMs: 0,
      calledBy: undefined,
    };
    this.#queues.set(id, queue);
    queue.waiting.push({ task, bytes });
    queue.bytes += bytes;
    if (known === undefined) this.#onAdded(queue);
    else this.#onAdded(queue, task);
  }

  backlog(id: string): QueueBacklog {
    const queue = this.#queues.get(id);
    if (queue === undefined) return { batches: 0, bytes: 0, isSlow: false };
    const { waiting, bytes, busySince, averageMs } = queue;
    const busyMs = busySince === undefined ? 0 : Date.now() - busySince;
    const isSlow = busyMs > SLOW_REQUEST_MS || waiting.length * averageMs > SLOW_QUEUE_MS;
    return { batches: waiting.length, bytes, isSlow };
  }

  /** Returns the first tasks waiting in a queue. */
  waiting(id: string, limit: number): readonly Task[] {
    const waiting = this.#queues.get(id)?.waiting ?? [];
    return waiting.slice(0, limit).map(({ task }) => task);
  }

  /** Removes and returns all tasks waiting in a queue. A request in flight continues. */
  takeWaiting(id: string): readonly Task[] {
    const queue = this.#queues.get(id);
    if (queue === undefined) return [];
    queue.bytes = 0;
    return queue.waiting.splice(0).map(({ task }) => task);
  }

  /** Starts no further requests, and resolves when all requests in flight have ended. */
  drained(): Promise<void> {
    this.isStopped = true;
    if (this.inFlight === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  closeIfEmpty({ id, waiting }: Queue<Task>): void {
    if (waiting.length === 0) this.#queues.delete(id);
  }

  onEnded(): void {
    this.source.onRoom();
    if (this.isStopped && this.inFlight === 0) this.#drained.resolve();
  }
}

function removeFirst<Task>(queue: Queue<Task>): void {
  queue.bytes -= queue.waiting.shift()?.bytes ?? 0;
}
