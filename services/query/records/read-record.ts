import { allOf } from '../../../shared/db/sql/conditions.ts';
import { followingColumn } from '../../../shared/db/sql/following-column.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { mayReadLink } from '../../../shared/domain/access/may-read-link.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import {
  type FollowingFacts,
  noFollowing,
  toFollowing,
} from '../../../shared/domain/stream/following.ts';
import { ownParameter, type Reader, withViewer } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { finishRows } from '../rows/finish-rows.ts';
import { hasOneColumns } from '../rows/has-one-columns.ts';
import { holderColumns } from '../rows/holder-columns.ts';
import { linkedRows } from '../rows/linked-rows.ts';
import { createPlanCache } from '../rows/plan-cache.ts';
import { quoteText } from '../rows/quote-text.ts';
import { buildReadPlan, shapeRow } from '../rows/read-plan.ts';
import {
  type RecordQuery,
  readableColumn,
  readableRow,
  requireId,
  requireReadableRow,
} from '../rows/require-readable.ts';
import { createGatherRows } from './gather-rows.ts';

interface FoundRecord {
  readonly version: number;
  /** In the form that a single read returns. */
  readonly record: Row;
}

export type ReadRecord = (query: RecordQuery) => Promise<FoundRecord>;

export function createReadRecord(context: QueryContext): ReadRecord {
  const cached = createPlanCache<ReturnType<typeof buildSinglePlan>>(context.directory.revision);
  const readPlannedRow = createGatherRows(context.pool);

  return async (query) => {
    const { model, view, id } = query;
    requireId(id);
    const { plan, statement } = cached(`${model.name} ${view.key}`, () =>
      buildSinglePlan(context, query),
    );
    const idAt = plan.selected.indexOf('id');
    const values = await readPlannedRow({ statement, idAt, viewer: view.viewer, id });
    const { row: record, more } = shapeRow(plan, values ?? []);
    const [version, isReadable, following] = more;
    const found = { deleted: record['deleted'], [readableColumn]: isReadable };
    await requireReadableRow(context.pool, query, values && found);
    await finishRows(context, { plan, view }, [record]);
    if (model.definition.hasStream === true) {
      Object.assign(record, followingIn(context, query, following as FollowingFacts | null));
    }
    return { version: Number(version), record };
  };
}

/** Returns the followers of the record, and whether the reader starred it. */
function followingIn(
  { directory }: QueryContext,
  { actor, model }: RecordQuery,
  facts: FollowingFacts | null,
) {
  const nameOf = (id: string) => namesIn(directory)('User', id);
  return facts === null ? noFollowing : toFollowing(facts, { actor, model }, nameOf);
}

function buildSinglePlan({ directory, prepare }: QueryContext, query: Reader) {
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

/**
 * Returns SQL over `r`, a row of the entity's table, for the fields that count links, by attribute name. Records are
 * counted if the actor sees them in lists of linked records. Users are counted if the record names them.
 */
function linkCounts(reader: Reader, findModel: FindModel): ReadonlyMap<string, string> {
  const { actor, model } = reader;
  const links = linksOf(model, findModel);
  return new Map(
    [...model.fields].flatMap(([name, { counts }]) => {
      if (counts === undefined) return [];
      const open = counts.links.filter((link) => mayReadLink(actor, { model, link }, findModel));
      const parts = open.flatMap((link) =>
        countOf(links.get(link), counts.column, { ...reader, findModel }),
      );
      return [[name, `(${['0', ...parts].join(' + ')})::int`] as const];
    }),
  );
}

function countOf(
  link: EntityLink | undefined,
  column: string | undefined,
  { model, view, findModel }: Reader & { readonly findModel: FindModel },
): readonly string[] {
  const target = findModel(link?.entityType ?? '');
  if (link === undefined || target === undefined) return [];
  const linked = linkedRows(link, { model, target, bound: 'r.id' });
  const isSet = column === undefined ? undefined : isFlagged(link, column);
  const counted = allOf('not t.deleted', linked, isSet, view.rows(target, 't'));
  return [`(select count(*) from ${liveTable(target.name)} t where ${counted})`];
}

/** Returns SQL for a column of the link. The column is on the side that stores the ids. */
function isFlagged({ heldBy, field }: EntityLink, column: string): string {
  const columns = quotedColumn({ name: `${field}Columns` });
  const row = heldBy === 'self' ? `r.${columns} -> t.id` : `t.${columns} -> r.id`;
  return `(${row} ->> ${quoteText(column)}) = 'true'`;
}
