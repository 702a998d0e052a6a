import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../domain/errors.ts';
import { inTime } from '../runtime/in-time.ts';
import { createShared } from '../runtime/share-answers.ts';
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
  /** The next look finds out whether it may be read: another server may answer. */
  doubt(): void;
  close(): void;
}

/** How long a read waits for the replica before it goes to the primary, as all do from then on. */
const CATCH_UP_WITHIN_MS = 100;
const ASK_AGAIN_MS = 2;
const LOOK_EVERY_MS = 1_000;
const NO_ANSWER = 'the replica does not answer in time';

const textOf = (reason: unknown): string =>
  reason instanceof Error ? reason.message : String(reason);

/** A change of state, not one of the outages of whose lines the logger writes one in ten seconds. */
function tellWhy(log: Logger, reason: unknown): void {
  const outage = orOutage(reason);
  const remedy = outage instanceof Unavailable ? outage.remedy : undefined;
  const level = remedy === undefined ? 'warn' : 'error';
  log[level]({ reason: textOf(outage), remedy }, 'reads go to the primary');
}

/**
 * Used: reads wait for the replica, which is asked for its positions only while somebody waits; too late, or an error:
 * left. Left: reads go to the primary at once. Once a second it is asked in any case: current: used.
 *
 * A replica sends no notices. What the projector wrote is told by the primary's (`known`); its transactions write rows and
 * positions together, so that a replica that shows the positions shows the rows.
 */
export function watchReplica({
  check,
  load,
  projection,
  log,
}: {
  /** Throws unless the server that is asked is a replica of the primary. */
  readonly check: () => Promise<void>;
  /** The positions in the replica. It has to fail if no answer comes. */
  readonly load: () => Promise<readonly Position[]>;
  readonly projection: Pick<ProjectionWatch, 'known'>;
  readonly log: Logger;
}): ReplicaWatch {
  const seen = createSeen(load);
  const closing = new AbortController();
  let isUsed = false;
  /** Why reads go to the primary. Each reason is told once, also that of a replica that never was of use. */
  const told = new Set<string>();

  function leave(reason: unknown): void {
    if (closing.signal.aborted) return;
    isUsed = false;
    if (told.has(textOf(reason))) return;
    told.add(textOf(reason));
    tellWhy(log, reason);
  }

  function use(): void {
    if (!isUsed) log.info('reads go to the replica');
    isUsed = true;
    told.clear();
  }

  /** Throws what the replica throws. Without the notices of the primary nobody knows what the replica lacks. */
  async function requireCurrent(): Promise<void> {
    const wanted = projection.known();
    if (wanted === undefined) throw new Error('the primary sends no notices');
    if (await seen.reach(wanted, CATCH_UP_WITHIN_MS)) return;
    throw new Error('the replica is behind');
  }

  async function look(): Promise<void> {
    try {
      await inTime(check(), LOOK_EVERY_MS, NO_ANSWER);
      await seen.ask(LOOK_EVERY_MS);
      await requireCurrent();
      use();
    } catch (error) {
      leave(error);
    }
  }

  async function keepLooking({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await look();
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  void keepLooking(closing);

  return {
    async isCurrent() {
      if (!isUsed) return false;
      try {
        await requireCurrent();
        return true;
      } catch (error) {
        leave(error);
        return false;
      }
    },
    leave,
    doubt: () => {
      isUsed = false;
    },
    close: () => closing.abort(),
  };
}

/**
 * The positions that were seen in the replica. Those of one server only grow, so that what was seen once needs no further
 * question.
 */
function createSeen(load: () => Promise<readonly Position[]>) {
  const seen = new Map<string, bigint>();

  /** One question at a time, for all who wait. */
  const readPositions = createShared(0, async () => {
    const positions = await load();
    // Another server may answer by now.
    seen.clear();
    for (const { topic, partition, offset } of positions) {
      seen.set(`${topic}/${partition}`, offset);
    }
  });

  const ask = (withinMs: number) => inTime(readPositions(), withinMs, NO_ANSWER);

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
