import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, shortLine, type TextSettings } from './text-settings.ts';

/** The digits of a barcode. The format is not checked. */
export const barcodeType: FieldType<FieldBase<'barcode', string> & TextSettings> = {
  name: 'barcode',
  isCreatable: true,
  search: 'beginning',
  parts: () => [{ kind: 'string' }],
  compileReader: (rule, definition) => compileText(rule, definition, shortLine),
};
