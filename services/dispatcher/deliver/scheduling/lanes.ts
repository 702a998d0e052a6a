import type { Backlog } from '../intake/admit.ts';
import type { RequestSlots } from './request-slots.ts';
import { createTurns } from './turns.ts';

/** A request that can be made. */
export interface Work {
  /** Where it goes. */
  readonly origin: string;
  run(): Promise<void>;
}

interface LanesDeps<Task> {
  /** Shared with the lanes of other partitions. */
  readonly slots: RequestSlots;
  /** Called once per request, right before it starts. */
  takePermit(task: Task): boolean;
  /**
   * Called for the first task of a lane on its turn: returns its request, or undefined if the task had its outcome without
   * one. It may be called again for the same task while a permit or a slot is missing.
   */
  begin(task: Task): Work | undefined;
  onFree(): void;
  onBug(error: unknown): void;
}

/**
 * A queue per webhook with one running task each, and limits for all tasks and for those of one origin. Lanes take
 * turns.
 */
export interface Lanes<Task> {
  add(laneId: string, task: Task, bytes: number): void;
  backlog(laneId: string): Backlog;
  /** Removes all tasks that wait in a lane. A running one goes on. */
  takeWaiting(laneId: string): readonly Task[];
  /** Starts tasks that can start. Called when there are permits again. */
  pump(): void;
  /** Starts no further tasks, and resolves when none is running. */
  drained(): Promise<void>;
}

/** A lane is slow if its task has been running for this long, or if it would need this long to become empty. */
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

export function createLanes<Task>(deps: LanesDeps<Task>): Lanes<Task> {
  const lanes = new Map<string, Lane<Task>>();
  /** The lanes without a running task. */
  const turns = createTurns<Lane<Task>>(deps.slots, pump);
  const drained = Promise.withResolvers<void>();
  let active = 0;
  let isStopped = false;

  function pump(): void {
    for (let lane = turns.first(); lane !== undefined; lane = turns.first()) {
      if (isStopped || !deps.slots.isFree(pump) || !giveTurn(lane)) return;
    }
  }

  /** False if nothing can start now. */
  function giveTurn(lane: Lane<Task>): boolean {
    const [next] = lane.waiting;
    if (next === undefined) {
      lanes.delete(lane.id);
      turns.remove();
      return true;
    }
    const work = deps.begin(next.task);
    if (work === undefined) {
      removeFirst(lane);
      return true;
    }
    if (turns.waitForRoom(work.origin)) return true;
    if (!deps.takePermit(next.task)) return false;
    removeFirst(lane);
    void run(lane, work);
    turns.use(work.origin);
    return true;
  }

  async function run(lane: Lane<Task>, { origin, run: work }: Work): Promise<void> {
    lane.busySince = Date.now();
    active += 1;
    deps.slots.take(origin);
    await work().catch(deps.onBug);
    noteEnd(lane, lane.busySince);
    active -= 1;
    if (lane.waiting.length > 0) turns.add(lane);
    else lanes.delete(lane.id);
    deps.slots.release(origin);
    pump();
    deps.onFree();
    if (isStopped && active === 0) drained.resolve();
  }

  function openLane(laneId: string): Lane<Task> {
    const lane = emptyLane<Task>(laneId);
    lanes.set(laneId, lane);
    turns.add(lane);
    return lane;
  }

  return {
    add(laneId, task, bytes) {
      const lane = lanes.get(laneId) ?? openLane(laneId);
      lane.waiting.push({ task, bytes });
      lane.bytes += bytes;
      pump();
    },
    backlog: (laneId) => backlogOf(lanes.get(laneId)),
    takeWaiting(laneId) {
      const lane = lanes.get(laneId);
      if (lane === undefined) return [];
      lane.bytes = 0;
      return lane.waiting.splice(0).map(({ task }) => task);
    },
    pump,
    drained() {
      isStopped = true;
      turns.stop();
      if (active === 0) drained.resolve();
      return drained.promise;
    },
  };
}

function emptyLane<Task>(id: string): Lane<Task> {
  return { id, waiting: [], bytes: 0, busySince: undefined, averageMs: 0 };
}

function noteEnd<Task>(lane: Lane<Task>, busySince: number): void {
  lane.busySince = undefined;
  lane.averageMs += NEWEST_SHARE * (Date.now() - busySince - lane.averageMs);
}

function removeFirst<Task>(lane: Lane<Task>): void {
  lane.bytes -= lane.waiting.shift()?.bytes ?? 0;
}

function backlogOf<Task>(lane: Lane<Task> | undefined): Backlog {
  if (lane === undefined) return { batches: 0, bytes: 0, isSlow: false };
  const { waiting, bytes, busySince, averageMs } = lane;
  const busyMs = busySince === undefined ? 0 : Date.now() - busySince;
  const isSlow = busyMs > SLOW_TASK_MS || waiting.length * averageMs > SLOW_LANE_MS;
  return { batches: waiting.length, bytes, isSlow };
}
