import {
  type AccessDatabase,
  auditSchema,
  hasAccessTables,
} from '../../../shared/audit/access-tables.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';

/** An API user, and when one of the apis last saw the key. */
export interface ApiKey {
  readonly userId: string;
  readonly userName: string;
  readonly authMethod: string;
  readonly isActive: boolean;
  /** ISO 8601; null if no use has been recorded. */
  readonly lastUsedAt: string | null;
}

/** Lists all API users, sorted by user name. */
export async function listApiKeys(
  database: AccessDatabase,
  { records }: Pick<Directory, 'records'>,
): Promise<readonly ApiKey[]> {
  const uses = await readUses(database);
  return records('User')
    .filter(({ values }) => values['type'] === 'api')
    .map(({ id, values }) => ({
      userId: id,
      userName: String(values['userName']),
      authMethod: String(values['authMethod']),
      isActive: values['isActive'] === true,
      lastUsedAt: uses.get(id) ?? null,
    }))
    .toSorted((one, other) => one.userName.localeCompare(other.userName));
}

async function readUses(database: AccessDatabase): Promise<ReadonlyMap<string, string>> {
  if (!(await hasAccessTables(database))) return new Map();
  const { rows } = await database.query<{ user_id: string; used_at_ms: string }>(
    `select user_id, used_at_ms from ${auditSchema}.key_uses`,
  );
  return new Map(rows.map((row) => [row.user_id, new Date(Number(row.used_at_ms)).toISOString()]));
}
