import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { anyIn } from '../../../shared/db/sql/any-in.ts';
import {
  liveSchema,
  quotedColumn,
  quotedTable,
} from '../../../shared/db/tables/read-model-names.ts';
import { type EntityModel, isMergeable } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type FollowDeps, followMerge } from './follow-merge.ts';
import type { MergePlan } from './merge-plan.ts';
import { type Relinking, referrersIn } from './relink-record.ts';

interface FinishDeps extends FollowDeps {
  readonly pool: Pool;
  readonly log: Logger;
  readonly now: () => number;
}

const WRITE_TIMEOUT_MS = 30_000;

/**
 * Merges that were decided some time ago and still have sources, because the process that carried them out is gone. In
 * no order, so that merges that are refused each time do not block the others.
 */
export async function finishMerges(deps: FinishDeps): Promise<void> {
  for (const model of deps.directory.entities()) {
    if (!isMergeable(model.definition)) continue;
    for (const { id: targetId, plan } of await findUnfinished(deps.pool, model)) {
      try {
        await followMerge({ model, targetId, plan }, deps.now() + WRITE_TIMEOUT_MS, deps);
        deps.log.info({ entityType: model.name, targetId }, 'finished an interrupted merge');
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { message: reason } = error;
        deps.log.error({ entityType: model.name, targetId, reason }, 'interrupted merge refused');
      }
    }
  }
}

async function findUnfinished(
  pool: Pool,
  { name }: EntityModel,
): Promise<readonly UnfinishedMerge[]> {
  const table = quotedTable(liveSchema, name);
  const { rows } = await orUnavailable(
    pool.query<MergeRow>(
      `select t.id, t.merge_plan from ${table} t
       where t.merge_planned_at is not null and not t.deleted
         and t.merge_planned_at > ${ago(lookedAfter)} and t.merge_planned_at < ${ago('10 seconds')}
         and exists (select 1 from ${table} s where not s.deleted and s.id in
           (select jsonb_array_elements_text(t.merge_plan::jsonb -> 'sourceIds')))
       order by random() limit 20`,
    ),
  );
  return rows.map(toUnfinished);
}

/** Finds merges that deleted a record and may not be complete. */
export async function findMergesOf(
  pool: Pool,
  { name, definition }: EntityModel,
  sourceId: string,
): Promise<readonly UnfinishedMerge[]> {
  if (!isMergeable(definition)) return [];
  const { rows } = await orUnavailable(
    pool.query<MergeRow>(
      `select t.id, t.merge_plan from ${quotedTable(liveSchema, name)} t
       where t.merge_planned_at is not null and not t.deleted
         and t.merge_planned_at > ${ago(lookedAfter)} and t.merge_plan::jsonb -> 'sourceIds' ? $1`,
      [sourceId],
    ),
  );
  return rows.map(toUnfinished);
}

interface MergeRow {
  readonly id: string;
  readonly merge_plan: string;
}

interface UnfinishedMerge {
  /** Id of the target. */
  readonly id: string;
  readonly plan: MergePlan;
}

function toUnfinished({ id, merge_plan: text }: MergeRow): UnfinishedMerge {
  return { id, plan: JSON.parse(text) };
}

const lookedAfter = '7 days';

/** In the format of the attribute, which sorts by time. */
function ago(interval: string): string {
  return `to_char((now() at time zone 'UTC') - interval '${interval}', 'YYYY-MM-DD HH24:MI:SS')`;
}

const REFERRING_AT_ONCE = 200;

/** See FollowDeps. */
export async function findReferring(
  pool: Pool,
  holder: EntityModel,
  { relinking, after }: { readonly relinking: Relinking; readonly after: string },
): Promise<readonly string[]> {
  const { entityType, from, to } = relinking;
  const conditions = referrersIn(holder, entityType).map(({ field, kind }) => {
    const id = `t.${quotedColumn({ name: `${field}Id` })}`;
    if (kind === 'one') return `${id} = any($1::text[])`;
    if (kind === 'many') {
      return anyIn(`t.${quotedColumn({ name: `${field}Ids` })}`, '&& $1::text[]');
    }
    return `(${id} = any($1::text[]) and t.${quotedColumn({ name: `${field}Type` })} = $3::text)`;
  });
  const { rows } = await orUnavailable(
    pool.query<{ id: string }>(
      `select t.id from ${quotedTable(liveSchema, holder.name)} t
       where not t.deleted and t.id <> all($2::text[]) and t.id > $4::text and $3::text is not null
         and (${conditions.join(' or ')})
       order by t.id limit ${REFERRING_AT_ONCE}`,
      [from, [...from, to], entityType, after],
    ),
  );
  return rows.map(({ id }) => id);
}
