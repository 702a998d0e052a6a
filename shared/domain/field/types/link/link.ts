import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { exampleId, linkedName } from './linked-name.ts';
import { readLinkId } from './read-link.ts';

/** A link to one record. This record stores the id. */
export interface LinkField extends FieldBase<'link', never>, FarSideSettings {
  readonly entityType?: string;
  /**
   * A multiple link that always contains this link's record. Removing the record from the multiple link clears this
   * link.
   */
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

/** The far side of a link is defined on the field that stores its ids, so that both sides always exist. */
export interface FarSideSettings {
  /** The name of the link on the other side; absent if it is not shown there. */
  readonly foreign?: string;
  /** For a link to a parent: the parent types that use this name. Defaults to all parent types. */
  readonly foreignEntityList?: readonly string[];
  /** For a link to a parent: names that differ from `foreign`, keyed by parent type. */
  readonly foreignOf?: Readonly<Record<string, string>>;
  /** The label of the link on the other side. */
  readonly foreignLabel?: string;
  /** Rejects linking from the other side if the record is already linked to another record. */
  readonly foreignKeepsLinked?: boolean;
}

/** Describes only names set by administrators. Names of shipped links are in the links of the other side. */
export function describeFarSide(field: FieldBase & FarSideSettings) {
  const { isCustom, foreign, foreignEntityList } = field;
  if (isCustom !== true || foreign === undefined) return {};
  return { foreign, ...(foreignEntityList && { foreignEntityList }) };
}
