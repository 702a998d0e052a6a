import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from '../text/text-settings.ts';
import { readOption } from './read-option.ts';

/** One of several options; without options any short text. */
export interface EnumField extends FieldBase<'enum', string>, TextSettings {
  readonly options?: readonly string[];
}

export const enumType: FieldType<EnumField> = {
  name: 'enum',
  isCreatable: true,
  search: 'beginning',
  isSortedByOptions: true,
  parts: (_, { options, default: usual }) => [
    {
      kind: 'string',
      ...(options && { schema: { type: ['string', 'null'], enum: [...options, null] } }),
      example: usual ?? options?.find((option) => option !== ''),
    },
  ],
  compileReader(rule, definition) {
    const { options } = definition;
    if (options === undefined)
      return compileText(rule, definition, { ...longText, maxLength: 255 });
    const option = { ...rule, options: new Set(options) };
    return (value, report) => readOption(option, value, report);
  },
};
