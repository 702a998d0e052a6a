import type { RequestSlots } from './request-slots.ts';

/**
 * The order in which lanes start requests. A lane whose origin is at its limit leaves the line, and returns when the
 * origin has room.
 */
export interface Turns<Lane> {
  /** Returns the lane whose turn it is. */
  first(): Lane | undefined;
  add(lane: Lane): void;
  /** Ends the turn of the first lane, which has nothing to start. */
  remove(): void;
  /** Ends the turn of the first lane and returns true if the origin has no room for its request. */
  waitForRoom(origin: string): boolean;
  /** Ends the turn of the first lane, which has started a request. */
  use(origin: string): void;
  /** Ends all turns. */
  stop(): void;
}

export function createTurns<Lane>(slots: RequestSlots, onTurn: () => void): Turns<Lane> {
  const lanes: Lane[] = [];
  /** The origins whose room lanes were called for. An unused call has to be passed on. */
  const calls = new Map<Lane, string>();
  let isStopped = false;

  function comeBack(lane: Lane, origin: string): void {
    if (isStopped) {
      slots.passOn(origin);
      return;
    }
    calls.set(lane, origin);
    lanes.push(lane);
    slots.queue(onTurn);
  }

  function endTurn(usedFor?: string): void {
    const lane = lanes.shift();
    if (lane !== undefined) endCall(lane, usedFor);
  }

  function endCall(lane: Lane, usedFor?: string): void {
    const calledFor = calls.get(lane);
    calls.delete(lane);
    if (calledFor !== undefined && calledFor !== usedFor) slots.passOn(calledFor);
  }

  return {
    first: () => lanes[0],
    add: (lane) => void lanes.push(lane),
    remove: () => endTurn(),
    waitForRoom(origin) {
      const [lane] = lanes;
      if (lane === undefined || slots.isFreeAt(origin, () => comeBack(lane, origin))) return false;
      endTurn();
      return true;
    },
    use: endTurn,
    stop() {
      isStopped = true;
      for (const lane of lanes.splice(0)) endCall(lane);
    },
  };
}
