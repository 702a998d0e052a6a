import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { describeFarSide, type FarSideSettings } from './far-side.ts';
import { exampleId, linkedName } from './linked-name.ts';
import { readLinkId } from './read-link.ts';

/** A link to one record. This record holds the id. */
export interface LinkField extends FieldBase<'link', never>, FarSideSettings {
  readonly entityType?: string;
  /** A multiple link that always contains this one. Removing the record from it clears this link. */
  readonly primaryOf?: string;
  /** With `primaryOf`: attributes of the record that mirror columns of the primary link, keyed by column. */
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
