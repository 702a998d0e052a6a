import {
  type AccessDatabase,
  auditSchema,
  hasAccessTables,
  type SignIn,
} from '../../../shared/audit/access-tables.ts';

interface StoredSignIn extends SignIn {
  readonly id: number;
  readonly attempts: number;
}

interface SignInQuery {
  /** An id or a user name; undefined for all. */
  readonly user: { readonly id: string; readonly name: string } | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Returns only sign-ins before this place. */
  readonly before: { readonly atMs: number; readonly id: number } | undefined;
  readonly limit: number;
}

/** Reads sign-ins, newest first. Returns none if the tables do not exist yet. */
export async function readSignIns(
  database: AccessDatabase,
  { user, from, to, before, limit }: SignInQuery,
): Promise<readonly StoredSignIn[]> {
  if (!(await hasAccessTables(database))) return [];
  const { rows } = await database.query<StoredSignIn>(
    `select id::float8, at_ms::float8 as "atMs", user_name as "userName", user_id as "userId",
       method, address, reason, attempts, request_id as "requestId"
     from ${auditSchema}.sign_ins
     where ($1::bigint is null or at_ms >= $1) and ($2::bigint is null or at_ms < $2)
       and ($3::bigint is null or (at_ms, id) < ($3, $4::bigint))
       and ($5::text is null or user_id = $5 or user_name = $6)
     order by at_ms desc, id desc limit $7`,
    [from, to, before?.atMs, before?.id, user?.id, user?.name, limit],
  );
  return rows;
}
