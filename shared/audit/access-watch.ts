/**
 * Keeps who came in: sign-ins, and when each user last proved a key. A request only notes it in memory; every few seconds
 * what was noted goes to Postgres.
 *
 *   noted ──every 5 s, keys every minute──▶ written ──after 90 days, or 200,000 others──▶ dropped
 *
 * No request waits for it, or fails with it: while Postgres is away what was noted stays, up to a limit. If the process
 * dies, it is lost.
 */
import type { Logger } from 'pino';
import { orOutage } from '../db/outage-of.ts';
import { type AccessDatabase, ensureAccessTables } from './access-tables.ts';
import { createPendingSignIns } from './pending-sign-ins.ts';
import type { SignIn } from './sign-in.ts';
import { dropOld, storeKeyUses, storeSignIns } from './store-access.ts';

export interface AccessWatch {
  recordSignIn(signIn: SignIn): void;
  recordKeyUse(userId: string, atMs: number): void;
  /** Writes what was noted. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface WatchDeps {
  readonly database: AccessDatabase;
  readonly log: Logger;
}

const FLUSH_EVERY_MS = 5_000;
const KEYS_EVERY_FLUSHES = 12;
const TRIM_EVERY_FLUSHES = 720;
const MAX_KEY_USERS = 10_000;

export function watchAccess({ database, log }: WatchDeps): AccessWatch {
  const signIns = createPendingSignIns();
  /** When each user last proved a key. */
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
      if (!isFailing) log.warn({ err: orOutage(err) }, 'sign-ins not written now');
      isFailing = true;
    }
    return !isFailing;
  }

  async function writeSignIns(): Promise<void> {
    const taken = signIns.take();
    if (taken.length > 0 && !(await write(() => storeSignIns(database, taken)))) {
      signIns.giveBack(taken);
    }
    const entries = signIns.takeLeft();
    if (entries > 0) log.warn({ entries }, 'too many sign-ins to write');
  }

  async function writeKeyUses(): Promise<void> {
    const taken = keyUses;
    if (taken.size === 0) return;
    keyUses = new Map();
    // Of what could not be written a later use counts.
    if (!(await write(() => storeKeyUses(database, taken))))
      keyUses = new Map([...taken, ...keyUses]);
  }

  /** One after the other. */
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
    recordSignIn: signIns.note,
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
