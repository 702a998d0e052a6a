import type { LaneBacklog } from '../intake/receive-batch.ts';
import type { RequestSlots } from './request-slots.ts';
import { createTurns, type Turns } from './turns.ts';

/** A request that can be made. */
export interface LaneRequest {
  /** The origin of its url. */
  readonly origin: string;
  run(): Promise<void>;
}

interface LanesDeps<Task> {
  /** Shared with the lanes of other partitions. */
  readonly slots: RequestSlots;
  /** Whether a request for the task could start now. */
  hasPermit(task: Task): boolean;
  /** Takes a permit right before a request starts. Returns false without a permit. */
  takePermit(task: Task): boolean;
  /**
   * Called for the first task of a lane on its turn. Returns its request, or undefined if the task ended without one. May
   * be called again for the same task while a permit or a slot is missing.
   */
  begin(task: Task): LaneRequest | undefined;
  onFree(): void;
  onBug(error: unknown): void;
}

/** A lane is slow if its task runs longer than the first limit, or if it would need the second one to become empty. */
const SLOW_TASK_MS = 2_000;
const SLOW_LANE_MS = 60_000;
/** The weight of the newest task in the moving average. */
const NEWEST_SHARE = 0.2;

interface Lane<Task> {
  readonly id: string;
  readonly waiting: { readonly task: Task; readonly bytes: number }[];
  bytes: number;
  busySince: number | undefined;
  averageMs: number;
}

/**
 * A queue per webhook with one running task each, and limits for all tasks and for the tasks of one origin. Lanes take
 * turns.
 *
 *   waiting ──its turn──▶ begin ──nothing to send──▶ the next task of the lane
 *      ▲                    ├── no room at its origin ──▶ leaves the line until there is
 *      │                    ├── no permit for any task of the lane ──▶ leaves the line until there is one
 *      │                    ├── no slot ──▶ waits until one is free
 *      └──── done ◀── running
 */
export class Lanes<Task> {
  readonly #deps: LanesDeps<Task>;
  readonly #lanes = new Map<string, Lane<Task>>();
  /** The lanes without a running task. */
  readonly #turns: Turns<Lane<Task>>;
  /** The lanes that left the line because no task had a permit. */
  readonly #withoutPermit = new Set<Lane<Task>>();
  readonly #drained = Promise.withResolvers<void>();
  #active = 0;
  #isStopped = false;

  constructor(deps: LanesDeps<Task>) {
    this.#deps = deps;
    this.#turns = createTurns<Lane<Task>>(deps.slots, this.#pump);
  }

  /** Starts tasks again after permits were issued. */
  readonly resume = (): void => {
    for (const lane of this.#withoutPermit) this.#turns.add(lane);
    this.#withoutPermit.clear();
    this.#pump();
  };

  readonly #pump = (): void => {
    const { slots } = this.#deps;
    for (let lane = this.#turns.first(); lane !== undefined; lane = this.#turns.first()) {
      if (this.#isStopped || !slots.isFree(this.#pump)) return;
      this.#runTurn(lane);
    }
  };

  add(laneId: string, task: Task, bytes: number): void {
    const lane = this.#lanes.get(laneId) ?? this.#openLane(laneId);
    lane.waiting.push({ task, bytes });
    lane.bytes += bytes;
    if (this.#withoutPermit.has(lane) && this.#deps.hasPermit(task)) {
      this.#withoutPermit.delete(lane);
      this.#turns.add(lane);
    }
    this.#pump();
  }

  backlog(laneId: string): LaneBacklog {
    return backlogOf(this.#lanes.get(laneId));
  }

  /** Returns the first tasks that wait in a lane. */
  waiting(laneId: string, limit: number): readonly Task[] {
    const waiting = this.#lanes.get(laneId)?.waiting ?? [];
    return waiting.slice(0, limit).map(({ task }) => task);
  }

  /** Removes and returns all tasks that wait in a lane. A running task continues. */
  takeWaiting(laneId: string): readonly Task[] {
    const lane = this.#lanes.get(laneId);
    if (lane === undefined) return [];
    lane.bytes = 0;
    return lane.waiting.splice(0).map(({ task }) => task);
  }

  /** Starts no further tasks, and resolves when all running ones have ended. */
  drained(): Promise<void> {
    this.#isStopped = true;
    this.#turns.stop();
    if (this.#active === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  #openLane(id: string): Lane<Task> {
    const lane: Lane<Task> = { id, waiting: [], bytes: 0, busySince: undefined, averageMs: 0 };
    this.#lanes.set(id, lane);
    this.#turns.add(lane);
    return lane;
  }

  #runTurn(lane: Lane<Task>): void {
    const [next] = lane.waiting;
    if (next === undefined) {
      this.#lanes.delete(lane.id);
      this.#turns.remove();
      return;
    }
    const work = this.#deps.begin(next.task);
    if (work === undefined) {
      removeFirst(lane);
      return;
    }
    if (this.#turns.waitForRoom(work.origin)) return;
    if (!this.#deps.takePermit(next.task)) {
      if (bringForward(lane, this.#deps.hasPermit)) return;
      this.#withoutPermit.add(lane);
      this.#turns.remove();
      return;
    }
    removeFirst(lane);
    void this.#run(lane, work);
    this.#turns.use(work.origin);
  }

  async #run(lane: Lane<Task>, { origin, run: work }: LaneRequest): Promise<void> {
    const { slots, onBug, onFree } = this.#deps;
    const begin = Date.now();
    lane.busySince = begin;
    this.#active += 1;
    slots.take(origin);
    await work().catch(onBug);
    lane.busySince = undefined;
    lane.averageMs += NEWEST_SHARE * (Date.now() - begin - lane.averageMs);
    this.#active -= 1;
    if (lane.waiting.length > 0) this.#turns.add(lane);
    else this.#lanes.delete(lane.id);
    slots.release(origin);
    this.#pump();
    onFree();
    if (this.#isStopped && this.#active === 0) this.#drained.resolve();
  }
}

/** Moves the first task with a permit to the front. Returns false if no task has a permit. */
function bringForward<Task>({ waiting }: Lane<Task>, hasPermit: (task: Task) => boolean): boolean {
  const at = waiting.findIndex(({ task }) => hasPermit(task));
  if (at !== -1) waiting.unshift(...waiting.splice(at, 1));
  return at !== -1;
}

function removeFirst<Task>(lane: Lane<Task>): void {
  lane.bytes -= lane.waiting.shift()?.bytes ?? 0;
}

function backlogOf<Task>(lane: Lane<Task> | undefined): LaneBacklog {
  if (lane === undefined) return { batches: 0, bytes: 0, isSlow: false };
  const { waiting, bytes, busySince, averageMs } = lane;
  const busyMs = busySince === undefined ? 0 : Date.now() - busySince;
  const isSlow = busyMs > SLOW_TASK_MS || waiting.length * averageMs > SLOW_LANE_MS;
  return { batches: waiting.length, bytes, isSlow };
}
