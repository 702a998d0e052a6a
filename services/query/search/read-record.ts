import { liveSchema, quotedColumn, quotedTable } from '../../../shared/db/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { finishRows, type SearchDeps } from './list-records.ts';
import { createPlanCache } from './plan-cache.ts';
import type { Statement } from './prepare-statement.ts';
import { buildReadPlan, type ReadPlan } from './read-plan.ts';
import type { RecordView } from './record-view.ts';
import { type Row, runStatement } from './run-statement.ts';

interface FoundRecord {
  readonly version: number;
  /** In the form of single reads. */
  readonly record: Row;
}

export type ReadRecord = (query: {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly id: string;
}) => Promise<FoundRecord>;

interface SinglePlan {
  readonly plan: ReadPlan;
  readonly statement: Statement;
}

/** Columns that are read beside the record and not shown. No attribute begins with `$`. */
const versionColumn = '$version';
const ownerColumn = '$owner';
/** Whatever has another form names nothing, and may not even be text for Postgres. */
const idPattern = /^[A-Za-z0-9_=.-]{1,100}$/;

export function createReadRecord(deps: SearchDeps): ReadRecord {
  const cached = createPlanCache<SinglePlan>(deps.directory);

  return async ({ actor, model, view, id }) => {
    if (!idPattern.test(id)) throw notFound(id);
    const { plan, statement } = cached(`${model.name} ${view.key}`, () =>
      buildSinglePlan(deps, model, view),
    );
    const rows = await runStatement(deps.pool, statement, [id]);
    const [record] = rows;
    if (record === undefined || (record['deleted'] === true && !view.withDeleted)) {
      throw notFound(id);
    }
    if (view.ownerAttribute !== undefined && record[ownerColumn] !== actor.id) {
      throw new Refusal('forbidden', 'access.denied', "No 'read' access.");
    }
    const version = Number(record[versionColumn]);
    // A key without value is not written as JSON, and is cheaper than a key taken away.
    record[versionColumn] = undefined;
    record[ownerColumn] = undefined;
    await finishRows(deps, plan, rows);
    return { version, record };
  };
}

function buildSinglePlan(deps: SearchDeps, model: EntityModel, view: RecordView): SinglePlan {
  const { directory, prepare } = deps;
  const plan = buildReadPlan({ model, view, list: undefined, findModel: directory.entity });
  const owner =
    view.ownerAttribute === undefined ? 'null' : `r.${quotedColumn({ name: view.ownerAttribute })}`;
  const text =
    `select ${plan.select}, r.version as "${versionColumn}", ${owner} as "${ownerColumn}"` +
    ` from ${quotedTable(liveSchema, model.name)} r ${plan.joins} where r.id = $1`;
  return { plan, statement: prepare(text) };
}

function notFound(id: string): Refusal {
  return new Refusal('not_found', 'record.not_found', `Record ${id.slice(0, 100)} does not exist.`);
}
