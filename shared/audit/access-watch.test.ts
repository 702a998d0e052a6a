import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { SignIn } from './access-tables.ts';
import { type AccessWatch, watchAccess } from './access-watch.ts';

const log = pino({ level: 'silent' });

/** Records inserted rows; fails while `isAway`. */
function createFakeDatabase() {
  const stored: { [table: string]: unknown[][] } = { sign_ins: [], key_uses: [] };
  const state = { isAway: false, stored };
  const database = {
    async query(text: string, values: unknown[] = []) {
      if (state.isAway) throw new Error('unreachable');
      const table = /insert into annals_audit\.(\w+)/.exec(text)?.[1];
      if (table !== undefined) stored[table]?.push(values);
      return { rows: [], rowCount: 1 } as never;
    },
  };
  return { state, watch: watchAccess({ database, log }) };
}

const signIn: SignIn = {
  atMs: 1,
  userName: 'ann',
  userId: null,
  method: 'password',
  address: '::1',
  reason: 'credentials.invalid',
  requestId: 'one',
};

const rowsIn = (inserts: readonly unknown[][] | undefined) =>
  inserts?.map(([rows]) => JSON.parse(String(rows)));

async function closing(watch: AccessWatch, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } finally {
    await watch.close();
  }
}

describe('the access watch', () => {
  it('combines identical sign-ins and keeps the earliest time', async () => {
    const { state, watch } = createFakeDatabase();
    await closing(watch, async () => {
      watch.recordSignIn(signIn);
      watch.recordSignIn({ ...signIn, atMs: 2, requestId: 'two' });
      watch.recordSignIn({ ...signIn, address: '::2' });
      await watch.flush();
      await watch.flush();
      expect(rowsIn(state.stored['sign_ins'])).toMatchObject([
        [
          { address: '::1', attempts: 2, at_ms: 1, request_id: 'one' },
          { address: '::2', attempts: 1 },
        ],
      ]);
    });
  });

  it('keeps a limited number of sign-ins while Postgres is unreachable', async () => {
    const { state, watch } = createFakeDatabase();
    state.isAway = true;
    await closing(watch, async () => {
      for (let number = 0; number < 1_500; number += 1) {
        watch.recordSignIn({ ...signIn, userName: `user ${number}` });
      }
      watch.recordKeyUse('ann', 5);
      await watch.flush();
      watch.recordKeyUse('ann', 7);
      state.isAway = false;
      await watch.flush();
      expect(rowsIn(state.stored['sign_ins'])?.[0]).toHaveLength(1_000);
      expect(state.stored['key_uses']).toEqual([[['ann'], [7]]]);
    });
  });
});
