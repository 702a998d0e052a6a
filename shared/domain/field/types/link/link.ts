import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { describeFarSide, type FarSideSettings } from './far-side.ts';
import { exampleId, linkedName } from './linked-name.ts';
import { readLinkId } from './read-link.ts';

/** A link to one record. The id stands in this record. */
export interface LinkField extends FieldBase<'link', never>, FarSideSettings {
  readonly entityType?: string;
  /** A link to many that always contains this one; this one is cleared when it leaves the many. */
  readonly primaryOf?: string;
  /** With `primaryOf`: attributes of the record that mirror columns of the primary link, by name of the column. */
  readonly primaryColumns?: Readonly<Record<string, string>>;
}

export const linkType: FieldType<LinkField> = {
  name: 'link',
  relation: 'belongsTo',
  carriers: ['Id'],
  sortedBy: ['Name'],
  parts: (field, { entityType }) => [
    { suffix: 'Id', kind: 'string', link: 'id', example: exampleId },
    { suffix: 'Name', kind: 'string', ...linkedName(field, `${field}Id`, entityType) },
  ],
  compileReader: (rule) => (value, report) => readLinkId(rule, value, report),
  linkedTypes: ({ entityType }) => (entityType === undefined ? [] : [entityType]),
  describe: (field) => ({ ...describeFarSide(field), entity: field.entityType }),
};
