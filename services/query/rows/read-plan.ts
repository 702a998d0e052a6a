import { parentName } from '../../../shared/db/sql/parent-name.ts';
import { valueColumn } from '../../../shared/db/sql/value-column.ts';
import { quotedColumn, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { emptyValue } from '../../../shared/domain/record/to-record-body.ts';
import { asLiteral } from '../../../shared/domain/value/as-literal.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import { createLinkedTables, type LinkedTables, type Through } from './linked-tables.ts';
import { isFitting } from './sized-rows.ts';

/** The name for an id in the response, if the statement does not select the name. */
export interface NameSource {
  readonly attribute: string;
  readonly idAttribute: string;
  readonly entityType: string;
  readonly shown: string;
  /** True for an object of names by id, such as `teamsNames`; false for one name. */
  readonly isMany: boolean;
  /** `memory`: read from the directory. `table`: read with another statement. `nowhere`: not shown. */
  readonly place: 'memory' | 'table' | 'nowhere';
}

/** How the columns of `r`, a row of the entity's table, become the JSON of a record. */
export interface ReadPlan {
  readonly model: EntityModel;
  /** Every key in response order, with its default value. */
  readonly blank: Row;
  /** The keys that the statement selects, in the order of `select`. */
  readonly selected: readonly string[];
  readonly select: string;
  /** `select` for a row of `sizedRows`: large values are null in a row that does not fit on the page. */
  readonly selectFitting: string;
  /** SQL over `r` and `joins` for the size of a row's large values in bytes; undefined if the plan has none. */
  readonly bytes: string | undefined;
  readonly joins: string;
  readonly names: readonly NameSource[];
  readonly opened: readonly string[];
}

const MAX_LISTED_TEXT = 10_000;

interface PlannedRead {
  readonly model: EntityModel;
  readonly view: RecordView;
  /** Undefined for a single record with all attributes. */
  readonly list: ListForm | undefined;
  readonly findModel: FindModel;
  /** SQL over `r` for attributes that have a value only in lists of linked records. */
  readonly columns?: ReadonlyMap<string, string>;
}

export function buildReadPlan(read: PlannedRead): ReadPlan {
  const { model, view, list, findModel, columns: given } = read;
  const isListed = list === undefined ? () => true : listedBy(model, list);
  const attributes = model.attributes.filter(
    (attribute) => view.isVisible(attribute) && isListed(attribute.name, attribute.singleReadOnly),
  );
  const linked = createLinkedTables('r', findModel, view);
  const sources = attributes.flatMap((attribute) => nameSource(attribute, findModel) ?? []);
  const outside = new Set(sources.map(({ attribute }) => attribute));
  const cut = cutOf(list);
  const sizeOf = (attribute: Attribute) =>
    attribute.through === undefined
      ? bytesOf(attribute, { model, alias: 'r', cut })
      : linked.column(attribute.through, (target, column, alias) =>
          bytesOf(column, { model: target, alias }),
        );
  const columns = attributes.map((attribute): Column => {
    const { name } = attribute;
    const found = given?.get(name);
    const expression = outside.has(name)
      ? undefined
      : (found ?? columnOf(attribute, { ...read, linked, cut }));
    const bytes = expression === undefined || found !== undefined ? undefined : sizeOf(attribute);
    return { name, empty: emptyValue(attribute), expression, bytes };
  });
  const ordered = inResponseOrder(columns, { model, isListed });
  const selected = ordered.filter(({ expression }) => expression !== undefined);
  const large = selected.flatMap(({ bytes }) => bytes ?? []);
  const toSelect = (expressionOf: (column: Column) => string | undefined) =>
    selected.map((column) => `${expressionOf(column)} as ${quoteName(column.name)}`).join(', ');
  return {
    model,
    blank: asLiteral(Object.fromEntries(ordered.map(({ name, empty }) => [name, empty]))),
    selected: selected.map(({ name }) => name),
    select: toSelect(({ expression }) => expression),
    selectFitting: toSelect(({ expression, bytes }) =>
      bytes === undefined ? expression : `case when ${isFitting} then ${expression} end`,
    ),
    bytes: large.length === 0 ? undefined : large.join(' + '),
    joins: linked.joins(),
    names: sources,
    opened: view.opened.filter((name) => columns.some((column) => column.name === name)),
  };
}

/** Returns a row of the statement as the JSON of a record, and any further selected columns. */
export function shapeRow(
  { blank, selected }: ReadPlan,
  values: readonly unknown[],
): { readonly row: Row; readonly more: readonly unknown[] } {
  const row = { ...blank };
  selected.forEach((name, index) => {
    row[name] = values[index];
  });
  return { row, more: values.slice(selected.length) };
}

interface Column {
  readonly name: string;
  readonly empty: unknown;
  /** The SQL of the column; undefined if the statement does not select the column. */
  readonly expression: string | undefined;
  /** SQL for the value's size in bytes, if the value may be large. */
  readonly bytes?: string | undefined;
}

interface ListForm {
  /** The names that the client selected, including unknown ones; undefined for the default selection. */
  readonly select: readonly string[] | undefined;
  /** The attributes that the list is sorted by. */
  readonly orderedBy: readonly string[];
  /** True if long texts are not truncated. */
  readonly isWhole?: boolean | undefined;
  /** The length to which long texts are truncated; undefined means the default. */
  readonly maxTextLength?: number | undefined;
}

/** Lists without `select` return whole texts unless the client requests otherwise (docs/reference/search.md). */
function cutOf(list: ListForm | undefined): number | undefined {
  if (list === undefined || list.isWhole === true) return undefined;
  const usual = list.select === undefined ? undefined : MAX_LISTED_TEXT;
  return list.maxTextLength ?? usual;
}

type IsListed = (name: string, singleReadOnly: boolean) => boolean;

/** The attributes that identify the owners of a record. */
const ownerIds = ['assignedUserId', 'assignedUsersIds', 'createdById'];

/**
 * In addition to its selection, a client gets the owner attributes, the attributes that the list is sorted by and the
 * attributes that lists of the type always include. The id of a linked record always accompanies its name, because the
 * name is looked up by the id.
 */
function listedBy(model: EntityModel, { select, orderedBy }: ListForm): IsListed {
  if (select === undefined) return (_name, singleReadOnly) => !singleReadOnly;
  const { alwaysListed = [] } = model.definition;
  const chosen = [...select, ...ownerIds, ...orderedBy, ...alwaysListed];
  const ids = chosen.flatMap((name) => model.attribute.get(name)?.through?.idAttribute ?? []);
  const listed = new Set([...chosen, ...ids]);
  return (name) => listed.has(name);
}

/** Orders columns as id, name, deleted, then the order of the definitions. */
function inResponseOrder(
  columns: readonly Column[],
  { model, isListed }: { readonly model: EntityModel; readonly isListed: IsListed },
): readonly Column[] {
  const hasVersion = model.definition.hasVersionNumber === true && isListed('versionNumber', true);
  const deleted = { name: 'deleted', empty: false, expression: 'r.deleted' };
  const version = { name: 'versionNumber', empty: null, expression: 'r.version' };
  return [
    { name: 'id', empty: '', expression: 'r.id' },
    ...columns.filter(({ name }) => name === 'name'),
    ...(isListed('deleted', false) ? [deleted] : []),
    ...columns.filter(({ name }) => name !== 'name'),
    ...(hasVersion ? [version] : []),
  ];
}

/** Returns undefined for names that the statement itself selects. */
function nameSource(
  { name, kind, through }: Attribute,
  findModel: FindModel,
): NameSource | undefined {
  if (through === undefined) return undefined;
  const log = shownLog(through, findModel);
  const isMany = kind === 'json';
  if (log === 'records' && !isMany) return undefined;
  return {
    attribute: name,
    idAttribute: through.idAttribute,
    entityType: through.entityType,
    shown: through.attribute,
    isMany,
    place: log === undefined ? 'nowhere' : log === 'records' ? 'table' : 'memory',
  };
}

/** Also returns undefined for secrets, which must not be revealed through the definition of another entity type. */
function shownLog({ entityType, attribute }: Through, findModel: FindModel) {
  const target = findModel(entityType);
  return target?.attribute.get(attribute)?.isSecret === false ? target.definition.log : undefined;
}

function columnOf(
  attribute: Attribute,
  {
    model,
    view,
    findModel,
    linked,
    cut,
  }: PlannedRead & { readonly linked: LinkedTables; readonly cut: number | undefined },
): string | undefined {
  if (attribute.through !== undefined) return linked.column(attribute.through);
  if (attribute.parent !== undefined) {
    return parentName(attribute.parent, 'r', { findModel, readable: view.named });
  }
  if (!attribute.stored) return undefined;
  const column = valueColumn(attribute, 'r');
  const field = model.fields.get(attribute.field);
  const isLong = field !== undefined && fieldTypeOf(field).isLongText === true;
  if (cut !== undefined && isLong) return `left(${column}, ${cut})`;
  const empty = emptySql(attribute);
  return empty === undefined ? column : `coalesce(${column}, ${empty})`;
}

/** Shorter texts are not counted, because 200 rows with fifty of them each are smaller than a page. */
const MAX_SHORT_TEXT = 255;
const MAX_BYTES_PER_CHARACTER = 4;
/** Stored values below this size do not expand much when they are decompressed, see `bytesOf`. */
const MAX_UNCOMPRESSED = 200;

/**
 * Returns SQL for the size in bytes of a value that may be large. Postgres can determine the length of a text without
 * reading it. For a list or an object, it has to read the value, so the length is not computed if the stored, possibly
 * compressed value is small.
 */
function bytesOf(
  attribute: Attribute,
  { model, alias, cut }: { readonly model: EntityModel; alias: string; cut?: number | undefined },
): string | undefined {
  if (!attribute.stored) return undefined;
  const column = `${alias}.${quotedColumn(attribute)}`;
  if (attribute.kind === 'json' || attribute.kind === 'strings') {
    const stored = `pg_column_size(${column})`;
    const whole = `octet_length(${column}::text)`;
    return `coalesce(case when ${stored} > ${MAX_UNCOMPRESSED} then ${whole} else ${stored} end, 0)`;
  }
  const field = model.fields.get(attribute.field);
  if (attribute.kind !== 'string' || field === undefined) return undefined;
  const whole = `coalesce(octet_length(${column}), 0)`;
  if (fieldTypeOf(field).isLongText !== true) {
    return (field.maxLength ?? 0) > MAX_SHORT_TEXT ? whole : undefined;
  }
  return cut === undefined ? whole : `least(${whole}, ${cut * MAX_BYTES_PER_CHARACTER})`;
}

/**
 * Returns the default of attributes that are never null in responses, for rows that are older than the column;
 * undefined if the attribute may be null.
 */
function emptySql(attribute: Attribute): string | undefined {
  const empty = emptyValue(attribute);
  if (empty === null) return undefined;
  if (attribute.kind === 'bool') return 'false';
  return attribute.kind === 'strings' ? "'{}'::text[]" : `'${JSON.stringify(empty)}'::jsonb`;
}
