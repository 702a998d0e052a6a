import type { QueryResultRow } from 'pg';
import type { Queryable } from '../../../shared/db/pool.ts';
import { isMissingTable } from '../../../shared/db/refused-by-tables.ts';
import {
  liveSchema,
  toSqlTime,
  webhookSchema,
} from '../../../shared/db/tables/read-model-names.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { drawLine, type SeriesFrame, type SeriesLine } from './series-frame.ts';

/** The series that are counted in Postgres. */
export type StoredSeries = Readonly<
  Record<'changes' | 'deliveriesOk' | 'deliveriesFailed', SeriesLine>
>;

interface FailingWebhook {
  readonly webhookId: string;
  readonly failed: number;
}

/** The index of the step to which a row's numbers belong. */
interface StepRow {
  readonly step: number;
}

const MOST_FAILING = 10;

/** Counts changes and attempts by step. If a count takes too long, its series contains no numbers. */
export async function countStored(database: Queryable, frame: SeriesFrame): Promise<StoredSeries> {
  const changes = await find<StepRow & { readonly count: number }>(database, changesBySteps(frame));
  const attempts = await find<StepRow & { readonly ok: number; readonly failed: number }>(
    database,
    attemptsBySteps(frame),
  );
  return {
    changes: toRates(frame, changes, ({ count }) => count),
    deliveriesOk: toRates(frame, attempts, ({ ok }) => ok),
    deliveriesFailed: toRates(frame, attempts, ({ failed }) => failed),
  };
}

/**
 * Returns the webhooks with the most failed attempts, in descending order. Only attempts that Postgres still keeps are
 * counted.
 */
export async function findFailing(
  database: Queryable,
  { from }: SeriesFrame,
): Promise<readonly FailingWebhook[]> {
  // The condition on outcomes must match the partial index attempts_failed.
  const found = await find<FailingWebhook>(database, {
    text: `select webhook_id as "webhookId", count(*)::int as failed from ${webhookSchema}.attempts
      where at >= $1 and outcome in ('retry', 'dead') group by 1 order by 2 desc, 1 limit $2`,
    values: [toSqlTime(from), MOST_FAILING],
  });
  return found ?? [];
}

export function changesBySteps({ from, to, stepMs }: SeriesFrame) {
  return {
    text: `select ((at_ms - $1) / $3)::int as step, count(*)::float8 as count
      from ${liveSchema}.record_history where at_ms >= $1 and at_ms < $2 group by 1`,
    values: [from, to, stepMs],
  };
}

export function attemptsBySteps({ from, to, stepMs }: SeriesFrame) {
  return {
    text: `select floor(extract(epoch from at - $1::timestamp) * 1000 / $3)::int as step,
        count(*) filter (where outcome = 'delivered')::float8 as ok,
        count(*) filter (where outcome in ('retry', 'dead'))::float8 as failed
      from ${webhookSchema}.attempts where at >= $1 and at < $2 group by 1`,
    values: [toSqlTime(from), toSqlTime(to), stepMs],
  };
}

/** Returns undefined if the table does not exist yet, or if the database cancels the statement at the time limit. */
async function find<Row extends QueryResultRow>(
  database: Queryable,
  statement: { readonly text: string; readonly values: unknown[] },
): Promise<readonly Row[] | undefined> {
  try {
    return (await database.query<Row>(statement)).rows;
  } catch (error) {
    const isTooSlow = error instanceof Refusal && error.code === 'list.too_slow';
    if (isTooSlow || isMissingTable(error)) return undefined;
    throw error;
  }
}

/** Converts counts to rates. Steps without a row have a rate of 0. */
function toRates<Row extends StepRow>(
  frame: SeriesFrame,
  rows: readonly Row[] | undefined,
  count: (row: Row) => number,
): SeriesLine {
  const counts = new Map(rows?.map((row) => [row.step, count(row)]));
  return drawLine(frame, ({ index, seconds }) => rows && (counts.get(index) ?? 0) / seconds);
}
