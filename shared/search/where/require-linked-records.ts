import type { Queryable } from '../../db/pool.ts';
import { allOf } from '../../db/sql/conditions.ts';
import { liveTable } from '../../db/tables/read-model-names.ts';
import type { EntityModel, FindModel } from '../../domain/entity/model/entity-model.ts';
import { linksOf } from '../../domain/entity/model/links.ts';
import { printable } from '../../domain/printable.ts';
import { type RecordView, withViewer } from '../record-view.ts';
import { runStatement } from '../run-statement.ts';
import { createBinder } from './binder.ts';
import { idsOfItem } from './link-conditions.ts';
import { badWhere, isLogic, type WhereItem } from './where-item.ts';

/** Types of conditions that refer to linked records by id. */
const naming: ReadonlySet<string> = new Set(['linkedWith', 'notLinkedWith', 'linkedWithAll']);

/** The entity type that is searched, and the actor's view of it. */
interface Searched {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly findModel: FindModel;
}

/**
 * Throws for conditions with ids of records that do not exist or that the actor may not read. The error does not reveal
 * which is the case. The compiler rejects invalid conditions.
 */
export async function requireLinkedRecords(
  pool: Queryable,
  items: readonly WhereItem[],
  searched: Searched,
): Promise<void> {
  const named = namedRecords(items, searched);
  if (named.length === 0) return;
  const found = await findReadable(pool, named, searched);
  const missing = named.find(({ types, ids }) =>
    ids.some((id) => !types.some(({ name }) => found.has(`${name} ${id}`))),
  );
  if (missing === undefined) return;
  const { type, attribute } = missing;
  throw badWhere(
    `Where item '${type}' of '${printable(attribute)}' refers to a record that does not exist or that you may not read.`,
  );
}

interface NamedRecords {
  readonly type: string;
  readonly attribute: string;
  readonly ids: readonly string[];
  /** The entity types to which the ids may belong. */
  readonly types: readonly EntityModel[];
}

function namedRecords(items: readonly WhereItem[], searched: Searched): readonly NamedRecords[] {
  return items.flatMap((item) => {
    const { type, attribute = '', value } = item;
    if (isLogic(type)) return namedRecords(value as readonly WhereItem[], searched);
    const types = naming.has(type) ? linkedTypes(attribute, searched) : [];
    return types.length === 0 ? [] : [{ type, attribute, ids: idsOfItem(item), types }];
  });
}

function linkedTypes(link: string, { model, findModel }: Searched): readonly EntityModel[] {
  const field = model.fields.get(link);
  const entityType = field?.entityType ?? linksOf(model, findModel).get(link)?.entityType;
  const names = field?.entityList ?? (entityType === undefined ? [] : [entityType]);
  return names.flatMap((name) => findModel(name) ?? []);
}

/** Returns the named records that are readable, as `Type id`. */
async function findReadable(
  pool: Queryable,
  named: readonly NamedRecords[],
  { view }: Searched,
): Promise<ReadonlySet<string>> {
  const binder = createBinder(view.viewer);
  const types = new Set(named.flatMap((one) => one.types));
  const selects = [...types].map((target) => {
    const wanted = named.flatMap((one) => (one.types.includes(target) ? one.ids : []));
    const isWanted = `t.id = any(${binder.bind([...new Set(wanted)])}::text[])`;
    const conditions = allOf(isWanted, 'not t.deleted', view.rows(target, 't'));
    const table = liveTable(target.name);
    // No escaping needed: names of entity types consist of letters and digits.
    return `select '${target.name} ' || t.id as found from ${table} t where ${conditions}`;
  });
  const text = withViewer(view, selects.join(' union all '));
  const rows = await runStatement(pool, { text }, [...binder.values]);
  return new Set(rows.map(({ found }) => String(found)));
}
