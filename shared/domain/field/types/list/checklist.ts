import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { type ListSettings, listType } from './list-settings.ts';

/** A list of checked options. */
export const checklistType: FieldType<FieldBase<'checklist', readonly string[]> & ListSettings> = {
  ...listType,
  name: 'checklist',
};
