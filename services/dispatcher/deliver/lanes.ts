import type { Backlog } from './admit.ts';

interface LanesDeps<Task> {
  readonly maxConcurrent: number;
  /** Asked once per request, right before it starts. */
  takePermit(): boolean;
  /**
   * Called for the first task of a lane whose turn it is: answers its work, or undefined when the task was settled
   * without any. May be called again for the same task while a permit is missing.
   */
  begin(task: Task): (() => Promise<void>) | undefined;
  onFree(): void;
  onBug(error: unknown): void;
}

/** A queue per webhook, one task of each under way, and a bounded number of all. Lanes take turns. */
export interface Lanes<Task> {
  add(laneId: string, task: Task, bytes: number): void;
  backlog(laneId: string): Backlog;
  /** Empties a lane. What is under way goes on. */
  takeWaiting(laneId: string): readonly Task[];
  /** Starts what may start; to be called when there are permits again. */
  pump(): void;
  /** Starts nothing any more, and answers when nothing is under way. */
  drained(): Promise<void>;
}

/** Long enough for any endpoint that keeps up to empty a lane of usual size, short enough for its neighbours. */
const SLOW_AFTER_MS = 2_000;

interface Lane<Task> {
  readonly id: string;
  readonly waiting: { readonly task: Task; readonly bytes: number; readonly since: number }[];
  bytes: number;
  isBusy: boolean;
}

export function createLanes<Task>(deps: LanesDeps<Task>): Lanes<Task> {
  const lanes = new Map<string, Lane<Task>>();
  /** Lanes that wait for their turn: not busy, with something waiting. */
  const ready: Lane<Task>[] = [];
  const drained = Promise.withResolvers<void>();
  let active = 0;
  let isStopped = false;

  function pump(): void {
    while (!isStopped && active < deps.maxConcurrent && startNext());
  }

  /** False when nothing may start now. */
  function startNext(): boolean {
    const [lane] = ready;
    const next = lane?.waiting[0];
    if (lane === undefined) return false;
    if (next === undefined) {
      ready.shift();
      lanes.delete(lane.id);
      return true;
    }
    const work = deps.begin(next.task);
    if (work !== undefined && !deps.takePermit()) return false;
    removeFirst(lane);
    if (work !== undefined) {
      ready.shift();
      void run(lane, work);
    }
    return true;
  }

  async function run(lane: Lane<Task>, work: () => Promise<void>): Promise<void> {
    lane.isBusy = true;
    active += 1;
    await work().catch(deps.onBug);
    lane.isBusy = false;
    active -= 1;
    if (lane.waiting.length > 0) ready.push(lane);
    else lanes.delete(lane.id);
    pump();
    deps.onFree();
    if (isStopped && active === 0) drained.resolve();
  }

  function openLane(laneId: string): Lane<Task> {
    const lane: Lane<Task> = { id: laneId, waiting: [], bytes: 0, isBusy: false };
    lanes.set(laneId, lane);
    ready.push(lane);
    return lane;
  }

  return {
    add(laneId, task, bytes) {
      const lane = lanes.get(laneId) ?? openLane(laneId);
      lane.waiting.push({ task, bytes, since: Date.now() });
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
      if (active === 0) drained.resolve();
      return drained.promise;
    },
  };
}

function removeFirst<Task>(lane: Lane<Task>): void {
  lane.bytes -= lane.waiting.shift()?.bytes ?? 0;
}

function backlogOf<Task>(lane: Lane<Task> | undefined): Backlog {
  const oldest = lane?.waiting[0];
  if (lane === undefined || oldest === undefined) return { batches: 0, bytes: 0, isSlow: false };
  const isSlow = lane.isBusy && Date.now() - oldest.since > SLOW_AFTER_MS;
  return { batches: lane.waiting.length, bytes: lane.bytes, isSlow };
}
