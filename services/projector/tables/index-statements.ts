import {
  columnName,
  quotedTable,
  quoteName,
  tableName,
} from '../../../shared/db/read-model-names.ts';
import type { FieldType } from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { textFilterFields } from '../../../shared/domain/entity/text-filter-fields.ts';

/**
 * The indexes of an entity's table: the default order of lists, search by text, duplicates, and the records that are
 * linked with another one. Each costs every write, so what has no value mostly is not in them.
 */
export function indexStatements(schema: string, model: EntityModel): readonly string[] {
  const table = quotedTable(schema, model.name);
  return indexesOf(model).map(({ suffix, using, condition }) => {
    const index = quoteName(`${tableName(model.name)}_${suffix}`);
    const where = ['not deleted', ...(condition === undefined ? [] : [condition])].join(' and ');
    return `create index if not exists ${index} on ${table} ${using} where ${where}`;
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
    ...streamIndexes(model),
    ...textFilterFields(model).flatMap((name) => textIndexes(model, name)),
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

function textIndexes(model: EntityModel, name: string): readonly Index[] {
  const attribute = model.attribute.get(name);
  if (attribute?.stored !== true || attribute.kind !== 'string') return [];
  const type = model.fields.get(attribute.field)?.type;
  if (type === 'text') return [];
  const column = columnName(name);
  const prefix = {
    suffix: `${column}_text`,
    using: `(lower(${quoteName(column)}) text_pattern_ops)`,
    condition: `${quoteName(column)} is not null`,
  };
  if (type !== 'email' && type !== 'phone') return [prefix];
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
