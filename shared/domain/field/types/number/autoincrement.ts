import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';

/** A number assigned by Annals: 1, 2, 3. */
export interface AutoincrementField extends FieldBase<'autoincrement', never> {
  /** Lower bound for the numbers of new records. */
  readonly nextNumber?: number;
}

export const autoincrementType: FieldType<AutoincrementField> = {
  name: 'autoincrement',
  isCreatable: true,
  search: 'number',
  parts: () => [{ kind: 'int' }],
  showNumber: (_, number) => number,
};
