import {
  columnName,
  quotedColumn,
  quotedTable,
  quoteName,
  tableName,
} from '../../../shared/db/read-model-names.ts';
import { searchedAttributes, searchedText } from '../../../shared/db/searched-text.ts';
import type { Attribute } from '../../../shared/domain/entity/attributes.ts';
import type { FieldType } from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';

/**
 * The indexes of an entity's table: the default order of lists and that by name, search by text, duplicates, and the
 * records that are linked with another one. Each costs every write, so what has no value mostly is not in them.
 */
export function indexStatements(schema: string, model: EntityModel): readonly string[] {
  const table = quotedTable(schema, model.name);
  const indexes = indexesOf(model).map(({ suffix, using, condition }) => {
    const index = quoteName(`${tableName(model.name)}_${suffix}`);
    const where = ['not deleted', ...(condition === undefined ? [] : [condition])].join(' and ');
    return `create index if not exists ${index} on ${table} ${using} where ${where}`;
  });
  return [...indexes, ...statisticsOf(schema, model)];
}

/**
 * What Postgres has to know of the texts that are searched for, to tell a rare beginning from a common one: it collects
 * it beside an index of an expression too, but makes no use of that where the index leaves rows out.
 */
function statisticsOf(schema: string, model: EntityModel): readonly string[] {
  const all = searchedText(model, '');
  const expressions = [
    ...searchedAttributes(model).map((attribute) => ({
      suffix: `${columnName(attribute.name)}_text_values`,
      expression: `lower(${quotedColumn(attribute)})`,
    })),
    ...(all === undefined ? [] : [{ suffix: 'searched_text_values', expression: all }]),
  ];
  return expressions.map(({ suffix, expression }) => {
    const name = quoteName(`${tableName(model.name)}_${suffix}`);
    return `create statistics if not exists ${quoteName(schema)}.${name} on (${expression}) from ${quotedTable(schema, model.name)}`;
  });
}

interface Index {
  readonly suffix: string;
  readonly using: string;
  readonly condition?: string;
}

function indexesOf(model: EntityModel): readonly Index[] {
  return [
    { suffix: 'created', using: '(created_at, id)' },
    ...nameIndex(model),
    ...streamIndexes(model),
    ...searchedAttributes(model).flatMap((attribute) => textIndexes(model, attribute)),
    ...[...model.fields].flatMap(([field, { type, readOnly, isIndexed }]) => {
      if (isIndexed === true) return [plainIndex(field)];
      // Who created a record is in every one, and asked for by nobody.
      if (readOnly === true) return [];
      // A note's parent has an index of its own.
      if (type === 'linkParent' && model.name === 'Note') return [];
      return linkTypes.has(type) ? linkIndexes(model, field) : [];
    }),
  ];
}

const linkTypes: ReadonlySet<FieldType> = new Set([
  'link',
  'linkMultiple',
  'linkParent',
  'file',
  'image',
  'attachmentMultiple',
]);

/** In the order that lists have, see orderOf in the query service: who has no name comes first. */
function nameIndex({ attribute }: EntityModel): readonly Index[] {
  const isSorted = attribute.get('name')?.stored === true;
  return isSorted ? [{ suffix: 'name', using: '(name nulls first, id)' }] : [];
}

/** What a stream looks for: the newest posts of a record, and the newest records of who follows what they create. */
function streamIndexes({ name, definition }: EntityModel): readonly Index[] {
  if (name === 'Note') return [{ suffix: 'parent', using: '(parent_id, id)' }];
  if (definition.hasStream !== true) return [];
  return [{ suffix: 'created_by', using: '(created_by_id, created_at)' }];
}

function plainIndex(name: string): Index {
  const column = quoteName(columnName(name));
  return { suffix: columnName(name), using: `(${column})`, condition: `${column} is not null` };
}

function textIndexes(model: EntityModel, { name, field }: Attribute): readonly Index[] {
  const column = columnName(name);
  const prefix = {
    suffix: `${column}_text`,
    using: `(lower(${quoteName(column)}) text_pattern_ops)`,
    condition: `${quoteName(column)} is not null`,
  };
  if (model.fields.get(field)?.type !== 'email') return [prefix];
  const data = quoteName(columnName(`${name}Data`));
  return [
    prefix,
    {
      suffix: `${column}_others`,
      using: `using gin (${data} jsonb_path_ops)`,
      condition: `jsonb_array_length(${data}) > 1`,
    },
  ];
}

function linkIndexes(model: EntityModel, field: string): readonly Index[] {
  const one = model.attribute.get(`${field}Id`);
  if (one?.stored === true) return [plainIndex(one.name)];
  const many = model.attribute.get(`${field}Ids`);
  if (many?.stored !== true) return [];
  const column = quoteName(columnName(many.name));
  // Statements say so as well, see anyIn: most records are linked with nothing, and cost nothing here.
  const condition = `${column} <> '{}'`;
  return [{ suffix: columnName(many.name), using: `using gin (${column})`, condition }];
}
