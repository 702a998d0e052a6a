import type { ClientBase, Pool } from 'pg';
import { orWithoutTable } from './outage-of.ts';
import { liveSchema, quoteName } from './tables/read-model-names.ts';

/** How far the projector has come in one partition: the next offset, and the fold's state there. */
export interface ProjectedPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly token: string | null;
  readonly sequence: number;
  readonly sealed: boolean;
}

interface PositionRow extends Pick<ProjectedPosition, 'topic' | 'partition' | 'token'> {
  readonly next_offset: string;
  readonly sequence: string;
  /** Missing in tables made before ADR 25, until a projector adds it. */
  readonly sealed?: boolean;
}

export async function loadPositions(
  db: ClientBase | Pool,
  schema = liveSchema,
): Promise<readonly ProjectedPosition[]> {
  const { rows } = await db.query<PositionRow>(`select * from ${quoteName(schema)}.positions`);
  return rows.map((row) => ({
    topic: row.topic,
    partition: row.partition,
    offset: BigInt(row.next_offset),
    token: row.token,
    sequence: Number(row.sequence),
    sealed: row.sealed === true,
  }));
}

/** Like loadPositions, and empty where the schema is not there, as before the projector's very first start. */
export function loadPositionsSoFar(
  db: ClientBase | Pool,
  schema = liveSchema,
): Promise<readonly ProjectedPosition[]> {
  return orWithoutTable(loadPositions(db, schema), []);
}
