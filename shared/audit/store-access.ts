import { type AccessDatabase, auditSchema, type SignIn } from './access-tables.ts';

const KEPT_MS = 90 * 86_400_000;
const KEPT_ROWS = 200_000;

export async function storeSignIns(
  database: AccessDatabase,
  signIns: readonly PendingSignIn[],
): Promise<void> {
  const rows = signIns.map(({ atMs, userName, userId, method, address, ...more }) => ({
    at_ms: atMs,
    user_name: userName,
    user_id: userId,
    method,
    address,
    reason: more.reason,
    attempts: more.attempts,
    request_id: more.requestId,
  }));
  const columns = 'at_ms, user_name, user_id, method, address, reason, attempts, request_id';
  await database.query(
    `insert into ${auditSchema}.sign_ins (${columns})
     select ${columns} from json_populate_recordset(null::${auditSchema}.sign_ins, $1::json)`,
    [JSON.stringify(rows)],
  );
}

/** Keeps the latest use per user, because several api processes may report uses by the same user. */
export async function storeKeyUses(
  database: AccessDatabase,
  used: ReadonlyMap<string, number>,
): Promise<void> {
  await database.query(
    `insert into ${auditSchema}.key_uses as kept (user_id, used_at_ms)
     select * from unnest($1::text[], $2::bigint[])
     on conflict (user_id) do update set used_at_ms = greatest(kept.used_at_ms, excluded.used_at_ms)`,
    [[...used.keys()], [...used.values()]],
  );
}

export async function dropOld(database: AccessDatabase, now: number): Promise<void> {
  await database.query(
    `delete from ${auditSchema}.sign_ins
     where at_ms < $1 or id <= (select max(id) - $2::bigint from ${auditSchema}.sign_ins)`,
    [now - KEPT_MS, KEPT_ROWS],
  );
}

interface PendingSignIn extends SignIn {
  /** The number of identical sign-ins. */
  attempts: number;
}

const MAX_PENDING = 1_000;

/** Combines sign-ins that differ only in time and request. */
export function createPendingSignIns() {
  /** Keyed by all properties that must be equal. */
  let pending = new Map<string, PendingSignIn>();
  let dropped = 0;

  function add(signIn: PendingSignIn): void {
    const { atMs: _, requestId: __, attempts, ...identity } = signIn;
    const key = JSON.stringify(identity);
    const known = pending.get(key);
    if (known !== undefined) known.attempts += attempts;
    else if (pending.size < MAX_PENDING) pending.set(key, signIn);
    else dropped += attempts;
  }

  return {
    record: (signIn: SignIn): void => add({ ...signIn, attempts: 1 }),
    /** Returns and removes all pending sign-ins. */
    takeAll(): readonly PendingSignIn[] {
      const all = [...pending.values()];
      pending = new Map();
      return all;
    },
    /** Adds back sign-ins that could not be written. */
    restore(signIns: readonly PendingSignIn[]): void {
      for (const signIn of signIns) add(signIn);
    },
    /** Returns and resets the number of sign-ins dropped because too many were pending. */
    takeDroppedCount(): number {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
