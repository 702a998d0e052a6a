import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { type ListSettings, listType } from './list-settings.ts';

/** A list of texts. */
export interface ArrayField extends FieldBase<'array', readonly string[]>, ListSettings {}

export const arrayType: FieldType<ArrayField> = {
  ...listType,
  name: 'array',
};
