import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { lookedUp } from './linked-name.ts';

/** Shows an attribute of the record on the other side of a link. */
export interface ForeignField extends FieldBase<'foreign', never> {
  /** The link to follow. */
  readonly link?: string;
  /** Copied from the link, so that each field definition is self-contained. */
  readonly entityType?: string;
  /** The attribute of the linked record that is shown. */
  readonly attribute?: string;
  /** The kind of that attribute. Defaults to `string`. */
  readonly attributeKind?: 'string' | 'bool' | 'int' | 'float' | 'decimal' | 'date' | 'datetime';
}

export const foreignType: FieldType<ForeignField> = {
  name: 'foreign',
  parts: (_, { link = '', entityType = '', attribute = 'name', attributeKind = 'string' }) => [
    {
      kind: attributeKind,
      ...lookedUp({ link, idAttribute: `${link}Id`, entityType, attribute }),
    },
  ],
  sources: ({ link }) => [`${link}Id`],
  describe: ({ attribute }) => (attribute === undefined ? {} : { field: attribute }),
};
