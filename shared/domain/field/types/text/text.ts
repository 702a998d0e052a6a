import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from './text-settings.ts';

/** Several lines of text. */
export const textType: FieldType<FieldBase<'text', string> & TextSettings> = {
  name: 'text',
  isCreatable: true,
  search: 'longText',
  isLongText: true,
  parts: () => [{ kind: 'string', example: 'Some text' }],
  compileReader: (rule, definition) => compileText(rule, definition, longText),
};
