import { type AttributeValue, isObject } from '../../../value/attribute-values.ts';
import {
  type AttributeRule,
  type Fault,
  type ReadAttribute,
  type Report,
  refuse,
} from '../../attribute-rule.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { MAX_LIST_COUNT } from '../list/list-settings.ts';
import { describeFarSide, type FarSideSettings } from './link.ts';
import { type ColumnDefinition, compileColumn } from './link-column.ts';
import { exampleId, linkedName } from './linked-name.ts';
import { isId, readLinkIds } from './read-link.ts';

/** A link to many records. This record stores the ids. */
export interface LinkMultipleField extends FieldBase<'linkMultiple', never>, FarSideSettings {
  readonly entityType?: string;
  /** Values that belong to the links rather than to the linked records, by name. */
  readonly columns?: Readonly<Record<string, ColumnDefinition>>;
  /** Users in this link follow the record. */
  readonly follows?: boolean;
  /** Maximum number of ids. */
  readonly maxCount?: number;
}

export const linkMultipleType: FieldType<LinkMultipleField> = {
  name: 'linkMultiple',
  relation: 'hasMany',
  carriers: ['Ids'],
  isUnordered: true,
  layout: 'detail',
  parts: (field, { entityType, columns }) => [
    { suffix: 'Ids', kind: 'strings', link: 'ids', example: [exampleId] },
    { suffix: 'Names', kind: 'json', ...linkedName(field, `${field}Ids`, entityType) },
    ...(columns === undefined
      ? []
      : [{ suffix: 'Columns', kind: 'json', link: 'columns', isMap: true } as const]),
  ],
  compileReader(rule, { columns = {}, maxCount = MAX_LIST_COUNT }) {
    if (rule.attribute !== `${rule.field}Columns`) {
      const list = { ...rule, maxCount };
      return (value, report) => readLinkIds(list, value, report);
    }
    const readers = Object.entries(columns).map(([name, column]) => {
      const one = { ...rule, attribute: `${rule.attribute}.${name}` };
      return [name, compileColumn(one, column)] as const;
    });
    const rows = { ...rule, columns: new Map(readers) };
    return (value, report) => readLinkColumns(rows, value, report);
  },
  linkedTypes: ({ entityType }) => (entityType === undefined ? [] : [entityType]),
  describe: (field) => ({ ...describeFarSide(field), entity: field.entityType }),
};

interface ColumnsRule extends AttributeRule {
  /** Keyed by column name. */
  readonly columns: ReadonlyMap<string, ReadAttribute | undefined>;
}

/**
 * Reads `xColumns`: objects of columns, keyed by the id of the linked record. Ignores unknown columns, because clients
 * send back what they have read. PHP clients send an empty object as `[]`.
 */
function readLinkColumns(
  rule: ColumnsRule,
  value: unknown,
  report: Report,
): AttributeValue | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return {};
  const entries = toEntries(value);
  if (entries === undefined || entries.length > MAX_ENTRIES || !entries.every(([id]) => isId(id))) {
    return refuse(rule, noColumns('must be an object that maps ids to columns'), report);
  }
  const read: Record<string, AttributeValue> = {};
  for (const [id, given] of entries) {
    const row = readRow(rule, given, report);
    if (row === undefined) return undefined;
    read[id] = row;
  }
  return read;
}

function readRow(rule: ColumnsRule, value: unknown, report: Report): AttributeValue | undefined {
  const entries = Array.isArray(value) && value.length === 0 ? [] : toEntries(value);
  if (entries === undefined) {
    return refuse(rule, noColumns('must have an object of columns for each id'), report);
  }
  const row: Record<string, AttributeValue> = {};
  for (const [name, given] of entries) {
    const read = rule.columns.get(name);
    if (read === undefined) continue;
    const column = read(given, ({ parameters: _, ...problem }) =>
      report({ ...problem, type: 'columnsValid' }),
    );
    if (column === undefined) return undefined;
    row[name] = column;
  }
  return row;
}

function noColumns(requirement: string): Fault {
  return { type: 'columnsValid', requirement };
}

function toEntries(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return isObject(value) ? Object.entries(value) : undefined;
}

const MAX_ENTRIES = 5000;
