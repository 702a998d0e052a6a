import { type AccessDatabase, auditSchema } from './access-tables.ts';
import type { PendingSignIn } from './pending-sign-ins.ts';

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

/** Keeps the latest use per user, because several apis may report uses of the same user. */
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
