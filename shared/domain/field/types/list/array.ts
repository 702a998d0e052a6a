import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { type ListSettings, listType } from './list-settings.ts';

/** A list of strings. */
export const arrayType: FieldType<FieldBase<'array', readonly string[]> & ListSettings> = {
  ...listType,
  name: 'array',
};
