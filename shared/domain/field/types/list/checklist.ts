import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { type ListSettings, listType } from './list-settings.ts';

/** Options that are ticked. */
export interface ChecklistField extends FieldBase<'checklist', readonly string[]>, ListSettings {}

export const checklistType: FieldType<ChecklistField> = {
  ...listType,
  name: 'checklist',
};
