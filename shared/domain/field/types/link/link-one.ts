import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { linkedName } from './linked-name.ts';

/** A link to one record. The other record stores the id. */
export interface LinkOneField extends FieldBase<'linkOne', never> {
  readonly entityType?: string;
  /** The link on the other side that stores the id. */
  readonly foreign?: string;
}

export const linkOneType: FieldType<LinkOneField> = {
  name: 'linkOne',
  relation: 'hasOne',
  sortedBy: ['Name'],
  layout: 'hidden',
  parts: (field, { entityType }) => [
    { suffix: 'Id', kind: 'string', link: 'id', writable: false },
    { suffix: 'Name', kind: 'string', ...linkedName(field, `${field}Id`, entityType) },
  ],
  describe: ({ foreign }) => (foreign === undefined ? {} : { foreign }),
};
