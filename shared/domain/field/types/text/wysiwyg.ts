import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from './text-settings.ts';

/** HTML, stored as sent. Clients must sanitize it. */
export const wysiwygType: FieldType<FieldBase<'wysiwyg', string> & TextSettings> = {
  name: 'wysiwyg',
  isCreatable: true,
  search: 'longText',
  isLongText: true,
  parts: () => [{ kind: 'string' }],
  compileReader: (rule, definition) => compileText(rule, definition, longText),
};
