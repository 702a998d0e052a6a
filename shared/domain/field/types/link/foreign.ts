import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { besideIds } from './linked-name.ts';

/** Shows an attribute of the record at the other side of a link. */
export interface ForeignField extends FieldBase<'foreign', never> {
  /** The link to follow. */
  readonly link?: string;
  /** Copied from the link, so that a definition can be read field by field. */
  readonly entityType?: string;
  /** The attribute at its other side that is shown. */
  readonly attribute?: string;
  /** The kind of that attribute; absent: a text. */
  readonly attributeKind?: 'string' | 'bool' | 'int' | 'float' | 'decimal' | 'date' | 'datetime';
}

export const foreignType: FieldType<ForeignField> = {
  name: 'foreign',
  parts: (_, { link = '', entityType = '', attribute = 'name', attributeKind = 'string' }) => [
    {
      kind: attributeKind,
      ...besideIds({ link, idAttribute: `${link}Id`, entityType, attribute }),
    },
  ],
  sources: ({ link }) => [`${link}Id`],
  describe: ({ attribute }) => (attribute === undefined ? {} : { field: attribute }),
};
