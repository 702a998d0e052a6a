import { type AttributeRule, type Kept, type Report, refuse } from '../../attribute-rule.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readText, type TextRule } from '../text/read-text.ts';
import { type ContactGroup, nameGroupAttributes } from './derive-group.ts';
import {
  compileGroup,
  entrySchema,
  type GroupSettings,
  groupDerivations,
  groupParts,
  USUAL_MAX_COUNT,
} from './group-parts.ts';
import {
  type GroupEntry,
  type GroupRule,
  readFlags,
  readGroupEntries,
} from './read-group-entries.ts';

/** E-mail addresses, one of them primary. */
export const emailType: FieldType<FieldBase<'email', string> & GroupSettings> = {
  name: 'email',
  isCreatable: true,
  isIdentifying: true,
  search: 'beginning',
  parts: () => groupParts('ann@example.com'),
  compileReader: (rule, definition) =>
    compileGroup(rule, definition, groupOf(rule.field, definition), {
      maxLength: 255,
      readAddress: readEmailAddress,
      readEntries: readEmailEntries,
    }),
  group: groupOf,
  derive: (field, definition) => groupDerivations(groupOf(field, definition)),
  entrySchema: entrySchema('emailEntry', 'emailAddress', {
    emailAddress: { type: 'string', maxLength: 255, examples: ['ann@example.com'] },
    lower: { type: 'string', readOnly: true },
  }),
};

function groupOf(field: string, { maxCount = USUAL_MAX_COUNT }: GroupSettings): ContactGroup {
  return {
    ...nameGroupAttributes(field),
    addressKey: 'emailAddress',
    comparedBy: 'lower',
    maxCount,
    toEntry: toEmailEntry,
  };
}

/** Reads `emailAddress`: stored as spelled, compared in lower case. */
export function readEmailAddress(rule: TextRule, value: unknown, report: Report): Kept<string> {
  const address = readText(rule, value, report);
  if (typeof address !== 'string' || isEmailAddress(address)) return address;
  return refuseAddress(rule, report);
}

/** Reads `emailAddressData`. */
export function readEmailEntries(
  rule: GroupRule,
  value: unknown,
  report: Report,
): readonly GroupEntry[] | undefined {
  return readGroupEntries(rule, value, report, (given) => {
    const address = readEmailAddress(rule.address, given['emailAddress'] ?? null, report);
    if (address === null) return refuseAddress(rule, report);
    const flags = readFlags(rule, given, report);
    if (address === undefined || flags === undefined) return undefined;
    return { ...toEmailEntry(address), ...flags };
  });
}

/** Returns a new primary entry that is neither invalid nor opted out. */
function toEmailEntry(address: string): GroupEntry {
  return {
    emailAddress: address,
    lower: address.toLowerCase(),
    primary: true,
    optOut: false,
    invalid: false,
  };
}

function refuseAddress(rule: AttributeRule, report: Report): undefined {
  return refuse(rule, { type: 'emailAddress', requirement: 'must be an e-mail address' }, report);
}

/** Accepts an unquoted RFC 5322 local part and a domain of at least two labels, with letters of any script. */
function isEmailAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  return (
    at > 0 &&
    at <= MAX_LOCAL_LENGTH &&
    localForm.test(address.slice(0, at)) &&
    domainForm.test(address.slice(at + 1))
  );
}

const MAX_LOCAL_LENGTH = 64;
const localForm =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainForm =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
