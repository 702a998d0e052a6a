import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readBool } from './read-bool.ts';

/** True or false, never null. */
export const boolType: FieldType<FieldBase<'bool', boolean>> = {
  name: 'bool',
  isCreatable: true,
  parts: () => [{ kind: 'bool', example: true }],
  compileReader: (rule) => (value, report) => readBool(rule, value, report),
};
