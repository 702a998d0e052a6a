import {
  type AttributeRule,
  invalid,
  type Kept,
  type Report,
  refuse,
} from '../../attribute-rule.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileText, longText, type TextSettings } from '../text/text-settings.ts';

/** One of several options, or any short text if the definition has no options. */
export interface EnumField extends FieldBase<'enum', string>, TextSettings {
  readonly options?: readonly string[];
  /** Options from earlier versions: still accepted because records contain them, but no longer offered. */
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

interface OptionRule extends AttributeRule {
  readonly options: ReadonlySet<string>;
  /** Accepted, but not listed in messages. */
  readonly former?: ReadonlySet<string>;
}

/** Reads an enum value: exactly one of the options. The empty option becomes null. */
export function readOption(rule: OptionRule, value: unknown, report: Report): Kept<string> {
  if (value === null || value === '') return null;
  const option = typeof value === 'number' ? String(value) : value;
  const isKnown = (text: string) => rule.options.has(text) || rule.former?.has(text) === true;
  if (typeof option === 'string' && isKnown(option)) return option;
  return refuse(rule, invalid('option', nameOptions(rule.options)), report);
}

/** Completes a sentence with the options, or with their number if there are many. */
export function nameOptions(options: ReadonlySet<string>): string {
  const listed = [...options].filter((option) => option !== '');
  return listed.length > MAX_LISTED
    ? `must be one of its ${listed.length} options`
    : `must be one of: ${listed.join(', ')}`;
}

const MAX_LISTED = 60;
