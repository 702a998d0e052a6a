/**
 * Stores sign-ins, and the time at which each user last authenticated with a key. Requests only record these facts in
 * memory; a timer writes them to Postgres every few seconds.
 *
 *   pending ──every 5 s, keys every minute──▶ stored ──after 90 days, or 200,000 further rows──▶ deleted
 *
 * No request waits for these writes or fails because of them: while Postgres is unreachable, pending entries are kept
 * up to a limit. If the process dies, they are lost.
 */
import type { Logger } from 'pino';
import { orOutage } from '../db/outage-of.ts';
import { type AccessDatabase, ensureAccessTables, type SignIn } from './access-tables.ts';
import { createPendingSignIns, dropOld, storeKeyUses, storeSignIns } from './store-access.ts';

export interface AccessWatch {
  recordSignIn(signIn: SignIn): void;
  recordKeyUse(userId: string, atMs: number): void;
  /** Writes pending entries. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 5_000;
const KEYS_EVERY_FLUSHES = 12;
const TRIM_EVERY_FLUSHES = 720;
const MAX_KEY_USERS = 10_000;

export function watchAccess({
  database,
  log,
}: {
  readonly database: AccessDatabase;
  readonly log: Logger;
}): AccessWatch {
  const signIns = createPendingSignIns();
  /** When each user last authenticated with a key, in milliseconds since 1970. */
  let keyUses = new Map<string, number>();
  let flushes = 0;
  let isFailing = false;
  let flushing: Promise<void> = Promise.resolve();

  async function write(store: () => Promise<void>): Promise<boolean> {
    try {
      await ensureAccessTables(database);
      await store();
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err: orOutage(err) }, 'cannot store sign-ins');
      isFailing = true;
    }
    return !isFailing;
  }

  async function writeSignIns(): Promise<void> {
    const batch = signIns.takeAll();
    if (batch.length > 0 && !(await write(() => storeSignIns(database, batch)))) {
      signIns.restore(batch);
    }
    const entries = signIns.takeDroppedCount();
    if (entries > 0) log.warn({ entries }, 'sign-ins dropped because too many are pending');
  }

  async function writeKeyUses(): Promise<void> {
    const batch = keyUses;
    if (batch.size === 0) return;
    keyUses = new Map();
    // If the write failed, later uses take precedence over the restored ones.
    if (!(await write(() => storeKeyUses(database, batch))))
      keyUses = new Map([...batch, ...keyUses]);
  }

  /** Runs the steps one after another. */
  function inTurn(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
    for (const step of steps) flushing = flushing.then(async () => void (await step()));
    return flushing;
  }

  const flush = (): Promise<void> => inTurn(writeSignIns, writeKeyUses);

  const timer = setInterval(() => {
    flushes += 1;
    void inTurn(writeSignIns);
    if (flushes % KEYS_EVERY_FLUSHES === 0) void inTurn(writeKeyUses);
    if (flushes % TRIM_EVERY_FLUSHES === 1) {
      void inTurn(() => write(() => dropOld(database, Date.now())));
    }
  }, FLUSH_EVERY_MS);
  timer.unref();

  return {
    recordSignIn: signIns.record,
    recordKeyUse(userId, atMs) {
      if (keyUses.size < MAX_KEY_USERS || keyUses.has(userId)) keyUses.set(userId, atMs);
    },
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}
