import type { AttributeValue } from '../../../value/attribute-values.ts';
import type { AttributeRule, ReadAttribute, ReadBy } from '../../attribute-rule.ts';
import type { AttributePart, Derive, FieldType } from '../../field-type.ts';
import { readBool } from '../choice/read-bool.ts';
import type { TextRule } from '../text/read-text.ts';
import { shortLine, type TextSettings, textRule } from '../text/text-settings.ts';
import { type ContactGroup, deriveGroup } from './derive-group.ts';
import type { GroupRule } from './read-group-entries.ts';

export interface GroupSettings extends TextSettings {
  /** Maximum number of entries. */
  readonly maxCount?: number;
}

export const USUAL_MAX_COUNT = 10;

/** The primary address or number, the full list, and the two flags of the primary entry. */
export function groupParts(example: string): readonly AttributePart[] {
  return [
    { kind: 'string', example },
    { suffix: 'Data', kind: 'json', singleReadOnly: true },
    { suffix: 'IsOptedOut', kind: 'bool' },
    { suffix: 'IsInvalid', kind: 'bool' },
  ];
}

/** Readers of the primary entry and the list. Flags are read as booleans. */
interface GroupReaders {
  readonly maxLength: number;
  readonly readAddress: ReadBy<TextRule, AttributeValue>;
  readonly readEntries: ReadBy<GroupRule, AttributeValue>;
}

export function compileGroup(
  rule: AttributeRule,
  definition: GroupSettings,
  group: ContactGroup,
  readers: GroupReaders,
): ReadAttribute {
  const { maxLength, readAddress, readEntries } = readers;
  const address = textRule(rule, definition, { ...shortLine, maxLength });
  if (rule.attribute === group.address)
    return (value, report) => readAddress(address, value, report);
  if (rule.attribute !== group.entries) return (value, report) => readBool(rule, value, report);
  const { addressKey, maxCount } = group;
  const entries = { ...rule, addressKey, maxCount, address };
  return (value, report) => readEntries(entries, value, report);
}

export function groupDerivations(group: ContactGroup): readonly Derive[] {
  return [(given, current) => deriveGroup(group, given, current)];
}

/** Returns the JSON Schema of an entry; the address or number is required. */
export function entrySchema(
  name: string,
  required: string,
  properties: Readonly<Record<string, unknown>>,
): NonNullable<FieldType['entrySchema']> {
  const flag = { type: 'boolean' };
  const all = { ...properties, primary: flag, optOut: flag, invalid: flag };
  return { name, schema: { type: 'object', required: [required], properties: all } };
}
