import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileList, type ListSettings } from './list-settings.ts';

/** A list of texts. */
export interface ArrayField extends FieldBase<'array', readonly string[]>, ListSettings {}

export const arrayType: FieldType<ArrayField> = {
  name: 'array',
  isCreatable: true,
  isUnordered: true,
  layout: 'detail',
  parts: () => [{ kind: 'strings' }],
  compileReader: (rule, definition) => compileList(rule, definition),
};
