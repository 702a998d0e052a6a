import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';

/** A number that Annals counts, as a text: `INV-00007`. */
export interface NumberField extends FieldBase<'number', never> {
  /** Stands before the digits, which are padded with zeros to `padLength`. */
  readonly prefix?: string;
  readonly padLength?: number;
  /** New records get no number below it. */
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
