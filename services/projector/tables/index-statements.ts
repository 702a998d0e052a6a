import {
  foldedAddresses,
  foldedColumns,
  searchedAttributes,
  searchedText,
} from '../../../shared/db/sql/folded-text.ts';
import {
  isRemindable,
  isRemindedByDefault,
  isRemindedByEmail,
  remindedStart,
} from '../../../shared/db/sql/reminded-time.ts';
import { type WordIndex, wordIndexOf } from '../../../shared/db/sql/searched-words.ts';
import {
  columnName,
  ownName,
  quotedColumn,
  quotedTable,
  quoteName,
  shortHash,
  tableName,
} from '../../../shared/db/tables/read-model-names.ts';
import { type EntityModel, hasBin } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { fieldTypeOf, isCounted } from '../../../shared/domain/field/field-types.ts';

/**
 * Size limit of the pending list of a text index, in kB. The more entries are merged together, the cheaper each is, and
 * the writer that reaches the limit merges them all. So the limit is higher than the list can grow between two calls of
 * sortTextIndexes.
 */
export const PENDING_KB = 64 * 1024;

/**
 * Returns statements for the missing indexes of an entity's table: for lists in default order and by name, text search,
 * duplicates, linked records, and deleted records. Each index slows down every write, so partial indexes exclude rows
 * without a value where they are the majority. Indexes in `present` are skipped by name: even `create index if not
 * exists` waits for another index build on the table.
 */
export function indexStatements(
  schema: string,
  model: EntityModel,
  present: ReadonlySet<string>,
): readonly string[] {
  const table = quotedTable(schema, model.name);
  const indexes = indexesOf(schema, model).flatMap(({ suffix, using, condition, isOfDeleted }) => {
    const name = nameBy(model, suffix);
    if (present.has(name)) return [];
    const rows = isOfDeleted === true ? 'deleted' : 'not deleted';
    const where = [rows, ...(condition === undefined ? [] : [condition])].join(' and ');
    return [`create index ${quoteName(name)} on ${table} ${using} where ${where}`];
  });
  return [...indexes, ...statisticsOf(schema, model, present)];
}

/** Returns the statement for the missing index on the words of an entity's records. */
export function wordIndexStatements(
  schema: string,
  model: EntityModel,
  present: ReadonlySet<string>,
): readonly string[] {
  const index = wordIndexOf(model, schema);
  if (index === undefined || present.has(index.name)) return [];
  const table = quotedTable(schema, model.name);
  return [`create index ${quoteName(index.name)} on ${table} ${wordIndexMethod(index)}`];
}

/** Returns the rest of a statement that creates an index on words. */
export function wordIndexMethod({ expression }: WordIndex): string {
  return `using gin (${expression}) with (gin_pending_list_limit = ${PENDING_KB}) where not deleted`;
}

function nameBy({ name }: EntityModel, suffix: string): string {
  return ownName(tableName(name), suffix);
}

/**
 * Returns statements for statistics on all searched texts together, from which Postgres estimates how common a text is.
 * Postgres also collects statistics for expression indexes, but ignores those of partial indexes.
 */
function statisticsOf(
  schema: string,
  model: EntityModel,
  present: ReadonlySet<string>,
): readonly string[] {
  const all = searchedText(model, '');
  if (all === undefined) return [];
  // The name contains a hash, because the searched fields change with the definition.
  const name = nameBy(model, `searched_${shortHash(all)}`);
  if (present.has(name)) return [];
  return [
    `create statistics ${quoteName(schema)}.${quoteName(name)} on (${all}) from ${quotedTable(schema, model.name)}`,
  ];
}

interface Index {
  readonly suffix: string;
  readonly using: string;
  readonly condition?: string;
  /** True for an index of deleted records; all others contain the live ones. */
  readonly isOfDeleted?: boolean;
}

function indexesOf(schema: string, model: EntityModel): readonly Index[] {
  return [
    { suffix: 'created', using: '(created_at, id)' },
    // An index of the deleted records. It omits their time, because every update changes it, and an index on it would
    // prevent heap-only updates.
    ...(hasBin(model) ? [{ suffix: 'deleted', using: '(id)', isOfDeleted: true }] : []),
    ...streamIndexes(model),
    ...textIndexes(model),
    ...otherAddressIndexes(schema, model),
    ...reminderIndexes(model),
    ...[...model.fields].flatMap(([field, { readOnly, isIndexed }]) => {
      if (isIndexed === true) return [plainIndex(field)];
      // Read-only links such as the creator are set in every record, and are rarely used in lists.
      if (readOnly === true) return [];
      // streamIndexes creates the index of a note's parent.
      if (model.definition.isPost === true && field === 'parent') return [];
      return linkIndexes(model, field);
    }),
  ];
}

/**
 * Returns the indexes for streams: the newest posts of a record, the newest posts without a parent, and the newest
 * records of a user, because users follow the records that they create.
 */
function streamIndexes({ definition }: EntityModel): readonly Index[] {
  if (definition.isPost === true) {
    return [
      { suffix: 'parent', using: '(parent_id, id)' },
      { suffix: 'addressed', using: '(id)', condition: 'parent_id is null' },
    ];
  }
  if (definition.hasStream !== true) return [];
  return [{ suffix: 'created_by', using: '(created_by_id, created_at)' }];
}

function plainIndex(name: string): Index {
  const column = quoteName(columnName(name));
  return { suffix: columnName(name), using: `(${column})`, condition: `${column} is not null` };
}

/**
 * Returns covering indexes with every column that a text search reads, so that it finds rows and sorts them in the
 * default order without reading the table (see foundIds in the query service). The index on the name is in the order of
 * lists, with nulls first (see orderOf there).
 */
function textIndexes(model: EntityModel): readonly Index[] {
  const included = usualKey(model);
  return foldedColumns(model).map(({ attribute, name }) => {
    const column = quoteName(name);
    const suffix = `${columnName(attribute.name)}_folded`;
    return attribute.name === 'name'
      ? { suffix, using: including(`(${column} nulls first, id)`, included) }
      : {
          suffix,
          using: including(`(${column})`, ['id', ...included]),
          condition: `${column} is not null`,
        };
  });
}

/**
 * Returns the column of the default order if it never changes, because an update of an included column rewrites all
 * index entries of the row.
 */
function usualKey({ attribute, definition, fields }: EntityModel): readonly string[] {
  const usual = attribute.get(definition.orderBy);
  const isNumber = usual?.kind === 'int' && isCounted(fields.get(definition.orderBy));
  const isFixed = usual?.name === 'createdAt' || isNumber;
  return usual?.stored === true && isFixed ? [quotedColumn(usual)] : [];
}

function including(keys: string, included: readonly string[]): string {
  return included.length === 0 ? keys : `${keys} include (${included.join(', ')})`;
}

/** Returns indexes for addresses other than the primary one, which has a text index. */
function otherAddressIndexes(schema: string, model: EntityModel): readonly Index[] {
  return searchedAttributes(model).flatMap(({ name, field }) => {
    const definition = model.fields.get(field);
    const group = definition && fieldTypeOf(definition).group?.(field, definition);
    if (group === undefined) return [];
    const data = quoteName(columnName(group.entries));
    const condition = `jsonb_array_length(${data}) > 1`;
    return group.comparedBy === 'lower'
      ? {
          suffix: `${columnName(name)}_folded_others`,
          using: `using gin (${foldedAddresses(data, schema)})`,
          condition,
        }
      : {
          suffix: `${columnName(name)}_others`,
          using: `using gin (${data} jsonb_path_ops)`,
          condition,
        };
  });
}

/** Returns the indexes by which the api finds the activities whose reminders by e-mail are due. */
function reminderIndexes(model: EntityModel): readonly Index[] {
  if (!isRemindable(model)) return [];
  const using = `(${remindedStart(model, '')})`;
  return [
    { suffix: 'reminded_by_email', using, condition: isRemindedByEmail('') },
    { suffix: 'reminded_by_default', using, condition: isRemindedByDefault('') },
  ];
}

function linkIndexes(model: EntityModel, field: string): readonly Index[] {
  const ids = model.columns.find((one) => one.field === field && one.writable && isId(one));
  if (ids === undefined) return [];
  if (ids.link === 'id') return [plainIndex(ids.name)];
  const column = quoteName(columnName(ids.name));
  // This has to match the condition in anyIn. It excludes records without links, which are the majority.
  const condition = `${column} <> '{}'`;
  return [{ suffix: columnName(ids.name), using: `using gin (${column})`, condition }];
}

function isId({ link }: Attribute): boolean {
  return link === 'id' || link === 'ids';
}
