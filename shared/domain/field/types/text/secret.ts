import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from './text-settings.ts';

/** Internal text that responses omit. */
export const secretType: FieldType<FieldBase<'secret', string> & TextSettings> = {
  name: 'secret',
  isSecret: true,
  isUnordered: true,
  parts: () => [{ kind: 'string' }],
  compileReader: (rule, definition) =>
    compileText(rule, definition, { ...longText, maxLength: 255 }),
};
