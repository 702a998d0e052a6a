import { orWithoutTable } from './outage-of.ts';
import type { Queryable } from './pool.ts';
import { liveSchema, quoteName } from './tables/read-model-names.ts';

export interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** The projector's progress in one partition: the next offset, and the state of the fold at that offset. */
export interface ProjectedPosition extends Position {
  readonly token: string | null;
  readonly sequence: number;
  readonly sealed: boolean;
}

interface PositionRow {
  readonly topic: string;
  readonly partition: number;
  readonly token: string | null;
  readonly next_offset: string;
  readonly sequence: string;
  /** Absent in tables from before ADR 25, until a projector adds it. */
  readonly sealed?: boolean;
}

export async function loadPositions(
  db: Queryable,
  schema = liveSchema,
): Promise<readonly ProjectedPosition[]> {
  const { rows } = await db.query<PositionRow>({
    text: `select * from ${quoteName(schema)}.positions`,
    values: [],
  });
  return rows.map((row) => ({
    topic: row.topic,
    partition: row.partition,
    offset: BigInt(row.next_offset),
    token: row.token,
    sequence: Number(row.sequence),
    sealed: row.sealed === true,
  }));
}

/**
 * Like loadPositions, but returns an empty list if the schema does not exist, which is the case before the projector's
 * first start.
 */
export function loadPositionsSoFar(
  db: Queryable,
  schema = liveSchema,
): Promise<readonly ProjectedPosition[]> {
  return orWithoutTable(loadPositions(db, schema), []);
}
