import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from './text-settings.ts';

/** HTML, kept as it is written: clients have to sanitize it. */
export interface WysiwygField extends FieldBase<'wysiwyg', string>, TextSettings {}

export const wysiwygType: FieldType<WysiwygField> = {
  name: 'wysiwyg',
  isCreatable: true,
  search: 'longText',
  isLongText: true,
  parts: () => [{ kind: 'string' }],
  compileReader: (rule, definition) => compileText(rule, definition, longText),
};
