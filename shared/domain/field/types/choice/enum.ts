import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from '../text/text-settings.ts';
import { readOption } from './read-option.ts';

/** One of several options, or any short text if the definition has no options. */
export interface EnumField extends FieldBase<'enum', string>, TextSettings {
  readonly options?: readonly string[];
  /** Options of earlier versions: still accepted because records have them, but no longer offered. */
  readonly formerOptions?: readonly string[];
  /** For unstored fields: the link whose column it shows. */
  readonly columnOf?: string;
}

export const enumType: FieldType<EnumField> = {
  name: 'enum',
  isCreatable: true,
  search: 'beginning',
  isSortedByOptions: true,
  parts: (_, { options, formerOptions = [], default: usual }) => [
    {
      kind: 'string',
      ...(options && {
        schema: { type: ['string', 'null'], enum: [...options, ...formerOptions, null] },
      }),
      example: usual ?? options?.find((option) => option !== ''),
    },
  ],
  describe: ({ columnOf }) => (columnOf === undefined ? {} : { link: columnOf }),
  compileReader(rule, definition) {
    const { options, formerOptions = [] } = definition;
    if (options === undefined)
      return compileText(rule, definition, { ...longText, maxLength: 255 });
    const option = { ...rule, options: new Set(options), former: new Set(formerOptions) };
    return (value, report) => readOption(option, value, report);
  },
};
