import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';

/** A number that Annals counts, as a text: `INV-00007`. */
export interface NumberField extends FieldBase<'number', never> {
  /** Stands before the digits, of which there are at least `padLength`, zeros in front. */
  readonly prefix?: string;
  readonly padLength?: number;
  /** New records get no lower one. */
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
