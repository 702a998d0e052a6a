import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { orOutage } from './outage-of.ts';
import type { ProjectedPosition } from './positions.ts';
import type { ProjectionWatch } from './projection-watch.ts';

type Position = Pick<ProjectedPosition, 'topic' | 'partition' | 'offset'>;

/** Whether reads may go to a replica. */
export interface ReplicaWatch {
  /** Whether the replica has all that this process knows to be in the primary. Waits a moment for it to catch up. */
  isCurrent(): Promise<boolean>;
  /** A statement failed there: reads go to the primary until the replica answers again. */
  leave(reason: unknown): void;
  close(): void;
}

/** How long a read waits for the replica before it goes to the primary, as all do from then on. */
const CATCH_UP_WITHIN_MS = 100;
const ASK_AGAIN_MS = 2;
const LOOK_EVERY_MS = 1_000;

/**
 * Used: reads wait for the replica, which is asked for its positions only while somebody waits; too late, or an error:
 * left. Left: reads go to the primary at once. Once a second it is asked in any case: current: used.
 *
 * A replica sends no notices. What the projector wrote is told by the primary's (`known`); its transactions write rows and
 * positions together, so that a replica that shows the positions shows the rows.
 */
export function watchReplica({
  load,
  projection,
  log,
}: {
  /** The positions in the replica. It has to fail if no answer comes. */
  readonly load: () => Promise<readonly Position[]>;
  readonly projection: Pick<ProjectionWatch, 'known'>;
  readonly log: Logger;
}): ReplicaWatch {
  const seen = createSeen(load);
  const closing = new AbortController();
  let isUsed = false;

  function leave(reason: unknown): void {
    if (!isUsed || closing.signal.aborted) return;
    isUsed = false;
    log.warn({ err: orOutage(reason) }, 'reads go to the primary');
  }

  /** Without the notices of the primary nobody knows what the replica lacks. */
  async function catchesUp(): Promise<boolean> {
    const wanted = projection.known();
    return wanted !== undefined && (await seen.reach(wanted, CATCH_UP_WITHIN_MS));
  }

  async function look(): Promise<void> {
    try {
      await seen.ask(LOOK_EVERY_MS);
      const isCurrent = await catchesUp();
      if (isCurrent && !isUsed) log.info('reads go to the replica');
      if (isCurrent) isUsed = true;
      else leave(new Error('the replica is behind'));
    } catch (error) {
      leave(error);
    }
  }

  async function keepLooking(): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) {
      await look();
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  void keepLooking();

  return {
    async isCurrent() {
      if (!isUsed) return false;
      try {
        if (await catchesUp()) return true;
        leave(new Error('the replica is behind'));
      } catch (error) {
        leave(error);
      }
      return false;
    },
    leave,
    close: () => closing.abort(),
  };
}

/** The positions that were seen in the replica. They only grow, so that what was seen once needs no further question. */
function createSeen(load: () => Promise<readonly Position[]>) {
  const seen = new Map<string, bigint>();
  let asking: Promise<void> | undefined;

  async function readPositions(): Promise<void> {
    for (const { topic, partition, offset } of await load()) {
      seen.set(`${topic}/${partition}`, offset);
    }
  }

  /** One question at a time, for all who wait. */
  async function ask(withinMs: number): Promise<void> {
    asking ??= readPositions().finally(() => {
      asking = undefined;
    });
    const isLate = Symbol('late');
    const late = sleep(withinMs, isLate, { ref: false });
    if ((await Promise.race([asking, late])) === isLate) throw new Error('no answer in time');
  }

  const has = ({ topic, partition, offset }: Position) =>
    (seen.get(`${topic}/${partition}`) ?? 0n) >= offset;

  return {
    ask,
    async reach(wanted: readonly Position[], withinMs: number): Promise<boolean> {
      const deadline = performance.now() + withinMs;
      while (!wanted.every(has)) {
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) return false;
        await ask(leftMs);
        if (!wanted.every(has)) await sleep(ASK_AGAIN_MS, undefined, { ref: false });
      }
      return true;
    },
  };
}
