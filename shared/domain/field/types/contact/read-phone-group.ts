import { type AttributeRule, type Kept, type Report, refuse } from '../../attribute-rule.ts';
import { readText, type TextRule } from '../text/read-text.ts';
import {
  type GroupEntry,
  type GroupRule,
  readFlags,
  readGroupEntries,
} from './read-group-entries.ts';

/** Reads `phoneNumber`: international numbers are stored in E.164 (`+15550100`), national ones as written. */
export function readPhoneNumber(rule: TextRule, value: unknown, report: Report): Kept<string> {
  const text = readText(rule, value, report);
  if (typeof text !== 'string') return text;
  const digits = text.replace(punctuation, '');
  if (internationalForm.test(digits)) return digits;
  return nationalForm.test(digits) ? text : refuseNumber(rule, report);
}

interface PhoneRule extends GroupRule {
  /** The first one is the default. */
  readonly types: readonly string[];
}

/** Reads `phoneNumberData`. */
export function readPhoneEntries(
  rule: PhoneRule,
  value: unknown,
  report: Report,
): readonly GroupEntry[] | undefined {
  return readGroupEntries(rule, value, report, (given) => {
    const number = readPhoneNumber(rule.address, given['phoneNumber'] ?? null, report);
    if (number === null) return refuseNumber(rule, report);
    const type = readType(rule, given['type'], report);
    const flags = readFlags(rule, given, report);
    if (number === undefined || type === undefined || flags === undefined) return undefined;
    return { ...toPhoneEntry(number, type), ...flags };
  });
}

/** Returns a new primary entry that is neither invalid nor opted out. */
export function toPhoneEntry(number: string, type: string): GroupEntry {
  return { phoneNumber: number, type, primary: true, optOut: false, invalid: false };
}

function readType(rule: PhoneRule, given: unknown, report: Report): string | undefined {
  if (given === undefined || given === null || given === '') return rule.types[0] ?? '';
  return typeof given === 'string' && rule.types.includes(given)
    ? given
    : refuse(rule, 'valid', `must have one of these types: ${rule.types.join(', ')}`, report);
}

function refuseNumber(rule: AttributeRule, report: Report): undefined {
  return refuse(rule, 'valid', 'must be a telephone number', report);
}

const punctuation = /[\s().\-/\u2010-\u2015]/g;
/** E.164: country code and number, at most 15 digits; the shortest in use have 7. */
const internationalForm = /^\+[1-9]\d{6,14}$/;
const nationalForm = /^\d{3,15}$/;
