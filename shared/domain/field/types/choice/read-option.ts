import { type AttributeRule, type Kept, type Report, refuse } from '../../attribute-rule.ts';

export interface OptionRule extends AttributeRule {
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
  return refuse(rule, 'valid', nameOptions(rule.options), report);
}

/** Completes a sentence with the options, or with their number if there are many. */
export function nameOptions(options: ReadonlySet<string>): string {
  const listed = [...options].filter((option) => option !== '');
  return listed.length > MAX_LISTED
    ? `must be one of its ${listed.length} options`
    : `must be one of: ${listed.join(', ')}`;
}

const MAX_LISTED = 60;
