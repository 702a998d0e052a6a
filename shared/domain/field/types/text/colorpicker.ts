import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, shortLine, type TextSettings } from './text-settings.ts';

/** A color: `#aabbcc`. */
export const colorpickerType: FieldType<FieldBase<'colorpicker', string> & TextSettings> = {
  name: 'colorpicker',
  isCreatable: true,
  parts: () => [{ kind: 'string' }],
  compileReader: (rule, definition) =>
    compileText(rule, definition, { ...shortLine, maxLength: 7 }),
};
