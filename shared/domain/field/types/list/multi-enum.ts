import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileList, type ListSettings } from './list-settings.ts';

/** Any number of the options, in the order sent. */
export const multiEnumType: FieldType<FieldBase<'multiEnum', readonly string[]> & ListSettings> = {
  name: 'multiEnum',
  isCreatable: true,
  isUnordered: true,
  parts: (_, { options = [] }) => [{ kind: 'strings', example: options.slice(0, 1) }],
  compileReader: (rule, definition) => compileList(rule, definition),
};
