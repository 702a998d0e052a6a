import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, shortLine, type TextSettings } from './text-settings.ts';

/** One line of text. */
export const varcharType: FieldType<FieldBase<'varchar', string> & TextSettings> = {
  name: 'varchar',
  isCreatable: true,
  search: 'beginning',
  parts: (_, { default: usual }) => [{ kind: 'string', example: usual ?? 'Acme' }],
  compileReader: (rule, definition) => compileText(rule, definition, shortLine),
};
