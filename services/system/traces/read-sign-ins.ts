import { auditSchema, hasAccessTables, type SignIn } from '../../../shared/audit/access-tables.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import type { SystemContext } from '../context.ts';

export type RequestSignIn = Omit<SignIn, 'requestId'>;

const MAX_SIGN_INS = 10;

/** Returns the sign-ins of a request. Usually there is at most one. */
export async function readSignIns(
  { observed, accessWatch }: SystemContext,
  requestId: string,
): Promise<readonly RequestSignIn[]> {
  await accessWatch.flush();
  return withConnection(observed.connect, async (client) => {
    // They are created before the first row is stored.
    if (!(await hasAccessTables(client))) return [];
    const { rows } = await client.query<RequestSignIn>(
      `select at_ms::float8 as "atMs", user_name as "userName", user_id as "userId", method, address, reason
       from ${auditSchema}.sign_ins where request_id = $1 order by at_ms, id limit ${MAX_SIGN_INS}`,
      [requestId],
    );
    return rows;
  });
}
