import { followingColumn } from '../../../shared/db/sql/following-column.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import {
  type FollowingFacts,
  noFollowing,
  toFollowing,
} from '../../../shared/domain/stream/following.ts';
import { ownParameter, type Reader, withViewer } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import { finishRows, type SearchDeps } from '../rows/finish-rows.ts';
import { hasOneColumns } from '../rows/has-one-columns.ts';
import { holderColumns } from '../rows/holder-columns.ts';
import { createPlanCache } from '../rows/plan-cache.ts';
import { buildReadPlan, shapeRow } from '../rows/read-plan.ts';
import {
  type RecordQuery,
  readableColumn,
  readableRow,
  requireId,
  requireReadableRow,
} from '../rows/require-readable.ts';
import { createGatherRows } from './gather-rows.ts';
import { linkCounts } from './link-counts.ts';

export interface FoundRecord {
  readonly version: number;
  /** In the form of single reads. */
  readonly record: Row;
}

export type ReadRecord = (query: RecordQuery) => Promise<FoundRecord>;

export function createReadRecord(deps: SearchDeps): ReadRecord {
  const cached = createPlanCache<ReturnType<typeof buildSinglePlan>>(deps.directory);
  const readPlannedRow = createGatherRows(deps.pool);

  return async (query) => {
    const { model, view, id } = query;
    requireId(id);
    const { plan, statement } = cached(`${model.name} ${view.key}`, () =>
      buildSinglePlan(deps, query),
    );
    const idAt = plan.selected.indexOf('id');
    const values = await readPlannedRow({ statement, idAt, viewer: view.viewer, id });
    const { row: record, more } = shapeRow(plan, values ?? []);
    const [version, isReadable, following] = more;
    const found = { deleted: record['deleted'], [readableColumn]: isReadable };
    await requireReadableRow(deps.pool, query, values && found);
    await finishRows(deps, { plan, view }, [record]);
    if (model.definition.hasStream === true) {
      Object.assign(record, followingIn(deps, query, following as FollowingFacts | null));
    }
    return { version: Number(version), record };
  };
}

/** Returns the followers of the record, and whether the reader starred it. */
function followingIn(
  { directory }: SearchDeps,
  { actor, model }: RecordQuery,
  facts: FollowingFacts | null,
) {
  const nameOf = (id: string) => namesIn(directory)('User', id);
  return facts === null ? noFollowing : toFollowing(facts, { actor, model }, nameOf);
}

function buildSinglePlan({ directory, prepare }: SearchDeps, query: Reader) {
  const { model, view } = query;
  const plan = buildReadPlan({
    model,
    view,
    list: undefined,
    findModel: directory.entity,
    columns: new Map([
      ...linkCounts(query, directory.entity),
      ...hasOneColumns({ ...query, alias: 'r' }, directory.entity),
      ...holderColumns(query, directory.entity),
    ]),
  });
  const following =
    model.definition.hasStream === true
      ? `, ${followingColumn(model, 'r', view.stream(model, 'r'))}`
      : '';
  const text =
    `select ${plan.select}, r.version, ${readableRow(view, model)}${following}` +
    ` from ${liveTable(model.name)} r ${plan.joins} where r.id = any(${ownParameter(view)})`;
  return { plan, statement: prepare(withViewer(view, text)) };
}
