import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readBool } from './read-bool.ts';

/** True or false, never null. */
export interface BoolField extends FieldBase<'bool', boolean> {}

export const boolType: FieldType<BoolField> = {
  name: 'bool',
  isCreatable: true,
  parts: () => [{ kind: 'bool', example: true }],
  compileReader: (rule) => (value, report) => readBool(rule, value, report),
};
