import type { ClientBase } from 'pg';
import { nameSome } from '../../../services/system/doctor/name-some.ts';
import { findTables } from '../../../shared/db/find-tables.ts';
import { liveSchema, quotedTable, tableName } from '../../../shared/db/tables/read-model-names.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { workSchema } from './work-schema.ts';

/** The value of `--without` for events of which Postgres has neither a row nor a record. */
export const untraceable = 'unknown';

interface Incomplete {
  readonly type: string;
  readonly id: string;
  readonly missing: number;
  readonly isLeftOut: boolean;
}

/**
 * Throws OperatorError with the records whose history lacks a version, unless they are excluded. `entityTypes` are
 * all types that may have a table. Returns the number of missing events of excluded records.
 */
export async function requireWholeHistory(
  client: ClientBase,
  { entityTypes, without }: { entityTypes: readonly string[]; without: ReadonlySet<string> },
): Promise<number> {
  const found = [...(await findGaps(client)), ...(await findMissingEnds(client, entityTypes))].map(
    (each) => ({ ...each, isLeftOut: without.has(each.id) }),
  );
  const refused = found.filter(({ isLeftOut }) => !isLeftOut);
  if (refused.length > 0) throw refuseRecords('lacks events', nameRecords(refused));
  return found.reduce((sum, { missing }) => sum + missing, 0);
}

export function refuseRecords(what: string, records: readonly string[]): OperatorError {
  const ids = records.map((record) => record.split(' ')[1]);
  return new OperatorError(
    `The log cannot be written, because the history in Postgres ${what} of ${nameSome(records)}. Restore a backup of Postgres or of Kafka, or exclude ${records.length > 1 ? 'these records' : 'this record'}: --without ${ids.slice(0, 5).join(' --without ')}${ids.length > 5 ? ' …' : ''}.`,
  );
}

const nameRecords = (records: readonly Incomplete[]): readonly string[] => [
  ...new Set(records.map(({ type, id }) => `${type} ${id}`)),
];

type Found = Omit<Incomplete, 'isLeftOut'>;

/** Finds gaps: the versions of a record are 1, 2, 3 and so on. */
async function findGaps(client: ClientBase): Promise<readonly Found[]> {
  const { rows } = await client.query<Found>(
    `select entity_type as type, record_id as id, (max(version) - count(distinct version))::int as missing
     from ${workSchema}.entries group by 1, 2 having max(version) <> count(distinct version)
     order by 1, 2`,
  );
  return rows;
}

/** Finds records whose newest versions are in the table of their type but not in the history. */
async function findMissingEnds(
  client: ClientBase,
  entityTypes: readonly string[],
): Promise<readonly Found[]> {
  const present = await findTables(client, liveSchema);
  const found: Found[] = [];
  for (const type of entityTypes) {
    if (!present.has(tableName(type))) continue;
    const { rows } = await client.query<Found>(
      `select $1::text as type, id, (version - known)::int as missing
       from ${quotedTable(liveSchema, type)} t cross join lateral (
         select coalesce(max(e.version), 0) as known from ${workSchema}.entries e
         where e.record_id = t.id and e.entity_type = $1) h
       where version > known order by id`,
      [type],
    );
    found.push(...rows);
  }
  return found;
}
