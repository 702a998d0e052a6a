import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';

/** A number assigned by Annals, as text: `INV-00007`. */
export interface NumberField extends FieldBase<'number', never> {
  /** Precedes the digits, which are padded with zeros to `padLength`. */
  readonly prefix?: string;
  readonly padLength?: number;
  /** Lower bound for the numbers of new records. */
  readonly nextNumber?: number;
}

export const numberType: FieldType<NumberField> = {
  name: 'number',
  isCreatable: true,
  search: 'beginning',
  parts: () => [{ kind: 'string', writable: false }],
  showNumber: ({ prefix = '', padLength = 5 }, number) =>
    prefix + String(number).padStart(padLength, '0'),
};
