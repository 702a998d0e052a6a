import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { MAX_LIST_COUNT } from '../list/list-settings.ts';
import { describeFarSide, type FarSideSettings } from './far-side.ts';
import { type ColumnDefinition, compileColumn } from './link-column.ts';
import { exampleId, linkedName } from './linked-name.ts';
import { readLinkIds } from './read-link.ts';
import { readLinkColumns } from './read-link-columns.ts';

/** A link to many records. This record holds the ids. */
export interface LinkMultipleField extends FieldBase<'linkMultiple', never>, FarSideSettings {
  readonly entityType?: string;
  /** Values that belong to each link rather than to the linked records, by name. */
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
