import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../domain/errors.ts';
import { inTime } from '../runtime/in-time.ts';
import { createShared } from '../runtime/share-answers.ts';
import { orOutage } from './outage-of.ts';
import type { Position } from './positions.ts';

/** Decides whether reads may use a replica. */
export interface ReplicaWatch {
  /**
   * Returns true if the replica has everything that the primary is known to have. Waits briefly for the replica to
   * catch up.
   */
  isCurrent(): Promise<boolean>;
  /** Called after a statement failed on the replica: reads go to the primary until the replica responds again. */
  leave(reason: unknown): void;
  /** Stops using the replica until the next check, because another server may be responding. */
  doubt(): void;
  close(): void;
}

/** How long a read waits for the replica. After that, this read and all later ones go to the primary. */
const CATCH_UP_WITHIN_MS = 100;
const QUERY_AGAIN_MS = 2;
const CHECK_EVERY_MS = 1_000;
const noResponse = () => new Unavailable('the replica does not respond in time');

const textOf = (reason: unknown): string =>
  reason instanceof Error ? reason.message : String(reason);

/** Logs a change of state. The logger throttles outages. */
function logReason(log: Logger, reason: unknown): void {
  const outage = orOutage(reason);
  const remedy = outage instanceof Unavailable ? outage.remedy : undefined;
  const level = remedy === undefined ? 'warn' : 'error';
  log[level]({ reason: textOf(outage), remedy }, 'reads go to the primary');
}

/**
 * In use: reads wait for the replica, which is queried for its positions only while reads wait; on a timeout or an
 * error it is no longer in use. Not in use: reads go to the primary immediately. The replica is queried once per
 * second in any case; once it is current, it is in use.
 *
 * Each read compares the replica with the primary's positions (`known`), because another process may just have
 * acknowledged a write: a notification about it could arrive after the read. The projector's transactions write rows
 * and positions together, so a replica that shows the positions also shows the rows.
 */
export function watchReplica({
  check,
  load,
  known,
  log,
}: {
  /** Throws unless the responding server is a replica of this primary. */
  readonly check: () => Promise<void>;
  /** Loads the positions in the replica. Must reject if no response arrives. */
  readonly load: () => Promise<readonly Position[]>;
  /** Loads the positions in the primary, as of the call or later. */
  readonly known: () => Promise<readonly Position[]>;
  readonly log: Logger;
}): ReplicaWatch {
  const seen = createSeen(load);
  const closing = new AbortController();
  let isUsed = false;
  /** Reasons why reads go to the primary. Each reason is logged once, even if the replica was never in use. */
  const loggedReasons = new Set<string>();

  function leave(reason: unknown): void {
    if (closing.signal.aborted) return;
    isUsed = false;
    if (loggedReasons.has(textOf(reason))) return;
    loggedReasons.add(textOf(reason));
    logReason(log, reason);
  }

  function use(): void {
    if (!isUsed) log.info('reads go to the replica');
    isUsed = true;
    loggedReasons.clear();
  }

  /** Rethrows errors from the replica and from the primary, without which the replica's lag is unknown. */
  async function requireCurrent(): Promise<void> {
    if (await seen.reach(await known(), CATCH_UP_WITHIN_MS)) return;
    throw new Error('the replica is behind the primary');
  }

  async function checkReplica(): Promise<void> {
    try {
      await inTime(check(), CHECK_EVERY_MS, noResponse);
      await seen.query(CHECK_EVERY_MS);
      await requireCurrent();
      use();
    } catch (error) {
      leave(error);
    }
  }

  async function keepChecking({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await checkReplica();
      await sleep(CHECK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  void keepChecking(closing);

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
 * The positions seen in the replica. A server's positions only increase, so once a position has been seen, no further
 * query is needed for it.
 */
function createSeen(load: () => Promise<readonly Position[]>) {
  const seen = new Map<string, bigint>();

  /** Runs one query at a time for all waiting reads. */
  const readPositions = createShared(0, async () => {
    const positions = await load();
    // Another server may be responding by now.
    seen.clear();
    for (const { topic, partition, offset } of positions) {
      seen.set(`${topic}/${partition}`, offset);
    }
  });

  const query = (withinMs: number) => inTime(readPositions(), withinMs, noResponse);

  const has = ({ topic, partition, offset }: Position) =>
    (seen.get(`${topic}/${partition}`) ?? 0n) >= offset;

  return {
    query,
    async reach(wanted: readonly Position[], withinMs: number): Promise<boolean> {
      const deadline = performance.now() + withinMs;
      while (!wanted.every(has)) {
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) return false;
        await query(leftMs);
        if (!wanted.every(has)) await sleep(QUERY_AGAIN_MS, undefined, { ref: false });
      }
      return true;
    },
  };
}
