import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileList, type ListSettings } from './list-settings.ts';

/** Options that are ticked. */
export interface ChecklistField extends FieldBase<'checklist', readonly string[]>, ListSettings {}

export const checklistType: FieldType<ChecklistField> = {
  name: 'checklist',
  isCreatable: true,
  isUnordered: true,
  layout: 'detail',
  parts: () => [{ kind: 'strings' }],
  compileReader: (rule, definition) => compileList(rule, definition),
};
