import { followingColumn } from '../../../shared/db/following-column.ts';
import { liveSchema, quotedTable } from '../../../shared/db/read-model-names.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import {
  type FollowingFacts,
  noFollowing,
  toFollowing,
} from '../../../shared/domain/stream/following.ts';
import type { Statement } from '../../../shared/search/prepare-statement.ts';
import { type RecordView, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { finishRows, type SearchDeps } from './finish-rows.ts';
import { linkCounts } from './link-counts.ts';
import { createPlanCache } from './plan-cache.ts';
import { buildReadPlan, type ReadPlan } from './read-plan.ts';
import {
  type RecordQuery,
  readableColumn,
  readableRow,
  requirePossibleId,
  requireReadable,
} from './require-readable.ts';

export interface FoundRecord {
  readonly version: number;
  /** In the form of single reads. */
  readonly record: Row;
}

export type ReadRecord = (query: RecordQuery) => Promise<FoundRecord>;

interface SinglePlan {
  readonly plan: ReadPlan;
  readonly statement: Statement;
}

/** A column that is read beside the record and not shown, like that of the owner. */
const versionColumn = '$version';
const followingName = '$following';

export function createReadRecord(deps: SearchDeps): ReadRecord {
  const cached = createPlanCache<SinglePlan>(deps.directory);

  return async (query) => {
    const { model, view, id } = query;
    requirePossibleId(id);
    const { plan, statement } = cached(`${model.name} ${view.key}`, () =>
      buildSinglePlan(deps, model, view),
    );
    const rows = await runStatement(deps.pool, statement, [...view.viewer, id]);
    const record = requireReadable(query, rows[0]);
    const version = Number(record[versionColumn]);
    // A key without value is not written as JSON, and is cheaper than a key taken away.
    record[versionColumn] = undefined;
    record[readableColumn] = undefined;
    await finishRows(deps, { plan, view }, rows);
    if (model.definition.hasStream === true) tellFollowing(deps, query, record);
    return { version, record };
  };
}

/** Puts who follows the record, and whether it is starred, in the place of what the statement knows of it. */
function tellFollowing(
  { directory }: SearchDeps,
  { actor, model }: RecordQuery,
  record: Row,
): void {
  const facts = record[followingName] as FollowingFacts | null;
  record[followingName] = undefined;
  const nameOf = (id: string) => namesIn(directory)('User', id);
  Object.assign(
    record,
    facts === null ? noFollowing : toFollowing(facts, { actor, model }, nameOf),
  );
}

function buildSinglePlan(deps: SearchDeps, model: EntityModel, view: RecordView): SinglePlan {
  const { directory, prepare } = deps;
  const columns = linkCounts(model, directory.entity);
  const plan = buildReadPlan({
    model,
    view,
    list: undefined,
    findModel: directory.entity,
    ...(columns === undefined ? {} : { columns }),
  });
  const following =
    model.definition.hasStream === true
      ? `, ${followingColumn(model, 'r', view.stream(model, 'r'))} as "${followingName}"`
      : '';
  const text =
    `select ${plan.select}, r.version as "${versionColumn}", ${readableRow(view, model)}${following}` +
    ` from ${quotedTable(liveSchema, model.name)} r ${plan.joins} where r.id = $${view.viewer.length + 1}`;
  return { plan, statement: prepare(withViewer(view, text)) };
}
