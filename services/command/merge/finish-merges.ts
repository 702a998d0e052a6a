import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { anyIn } from '../../../shared/db/sql/conditions.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { type EntityModel, isMergeable } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { CommandContext } from '../context.ts';
import { type Command, internalCommandDefaults } from '../owner/command.ts';
import { type DecidedMerge, followMerge } from './follow-merge.ts';
import { endMergeCommand } from './merge-commands.ts';
import { FOLLOWED_DAYS } from './merge-plan.ts';
import { type Relinking, referrersIn } from './relink-record.ts';

const WRITE_TIMEOUT_MS = 30_000;

/**
 * Completes merges whose sources still exist some time after the decision, because the merging process is gone. Merges
 * are selected in no particular order, so that permanently rejected merges do not block the others.
 */
export async function finishMerges(context: CommandContext): Promise<void> {
  for (const model of context.directory.entities()) {
    for (const merge of await findMerges(context.pool, model, { which: unfinished(model) })) {
      const { targetId } = merge;
      try {
        await followMerge(merge, context.now() + WRITE_TIMEOUT_MS, context);
        context.log.info({ entityType: model.name, targetId }, 'interrupted merge finished');
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { message: reason } = error;
        context.log.error(
          { entityType: model.name, targetId, reason },
          'cannot finish interrupted merge',
        );
      }
    }
  }
}

function unfinished({ name }: EntityModel): string {
  return `t.merge_planned_at < ${ago('10 seconds')}
    and exists (select 1 from ${liveTable(name)} s where not s.deleted and s.id in
      (select jsonb_array_elements_text(t.merge_plan::jsonb -> 'sourceIds')))
    order by random() limit 20`;
}

/** Completes and ends the merges that deleted a record, before the record is restored. */
export async function endMergesOf(
  { actor, model, id, deadline }: Command & { readonly id: string },
  context: CommandContext,
): Promise<void> {
  await context.untilCaughtUp(deadline);
  const state = await context.readState(model, id);
  if (state?.deleted !== true) return;
  const which = "t.merge_plan::jsonb -> 'sourceIds' ? $1";
  for (const merge of await findMerges(context.pool, model, { which, values: [id] })) {
    await followMerge(merge, deadline, context);
    const ended = {
      ...internalCommandDefaults,
      id: merge.targetId,
      body: merge.plan,
      untilReadable: true,
    };
    await context.sender.send(endMergeCommand, { ...ended, actor, model, deadline });
  }
}

/** Finds merges that may be incomplete. `which` is an SQL condition on the target `t`. */
async function findMerges(
  pool: Pool,
  model: EntityModel,
  { which, values = [] }: { readonly which: string; readonly values?: readonly string[] },
): Promise<readonly DecidedMerge[]> {
  if (!isMergeable(model.definition)) return [];
  const { rows } = await orUnavailable(
    pool.query<{ id: string; merge_plan: string }>(
      `select t.id, t.merge_plan from ${liveTable(model.name)} t
       where t.merge_planned_at is not null and not t.deleted
         and t.merge_planned_at > ${ago(`${FOLLOWED_DAYS} days`)} and ${which}`,
      [...values],
    ),
  );
  return rows.map((row) => ({ model, targetId: row.id, plan: JSON.parse(row.merge_plan) }));
}

/** Returns SQL for a past time in the attribute's format. Times in this format sort as text. */
function ago(interval: string): string {
  return `to_char((now() at time zone 'UTC') - interval '${interval}', 'YYYY-MM-DD HH24:MI:SS')`;
}

const REFERRING_AT_ONCE = 200;

/** Implements `findReferring` of CommandContext. Reads a page only after the previous page has been processed. */
export async function* findReferring(
  pool: Pool,
  holder: EntityModel,
  { entityType, from, to }: Relinking,
): AsyncIterable<readonly string[]> {
  const conditions = referrersIn(holder, entityType).map(({ field, kind }) => {
    const id = `t.${quotedColumn({ name: `${field}Id` })}`;
    if (kind === 'one') return `${id} = any($1::text[])`;
    if (kind === 'many') {
      return anyIn(`t.${quotedColumn({ name: `${field}Ids` })}`, '&& $1::text[]');
    }
    return `(${id} = any($1::text[]) and t.${quotedColumn({ name: `${field}Type` })} = $3::text)`;
  });
  const page = `
    select t.id from ${liveTable(holder.name)} t
    where not t.deleted and t.id <> all($2::text[]) and t.id > $4::text and $3::text is not null
      and (${conditions.join(' or ')})
    order by t.id limit ${REFERRING_AT_ONCE}`;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const values = [from, [...from, to], entityType, last];
    const { rows } = await orUnavailable(pool.query<{ id: string }>(page, values));
    const ids: readonly string[] = rows.map(({ id }) => id);
    yield ids;
    last = ids.at(-1);
  }
}
