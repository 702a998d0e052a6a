import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from './text-settings.ts';

/** Several lines of text. */
export interface TextField extends FieldBase<'text', string>, TextSettings {}

export const textType: FieldType<TextField> = {
  name: 'text',
  isCreatable: true,
  search: 'longText',
  isLongText: true,
  parts: () => [{ kind: 'string', example: 'Some text' }],
  compileReader: (rule, definition) => compileText(rule, definition, longText),
};
