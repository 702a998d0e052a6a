import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from './text-settings.ts';

/** A text of Annals' own that answers leave out. */
export const secretType: FieldType<FieldBase<'secret', string> & TextSettings> = {
  name: 'secret',
  isSecret: true,
  isUnordered: true,
  parts: () => [{ kind: 'string' }],
  compileReader: (rule, definition) =>
    compileText(rule, definition, { ...longText, maxLength: 255 }),
};
