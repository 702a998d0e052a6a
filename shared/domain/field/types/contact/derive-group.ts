import type { AttributeValue, AttributeValues } from '../../../value/attribute-values.ts';
import {
  type AddressKey,
  type GroupEntry,
  markOnePrimary,
  toGroupKey,
} from './read-group-entries.ts';

interface GroupAttributes {
  readonly address: string;
  readonly entries: string;
  readonly isOptedOut: string;
  readonly isInvalid: string;
}

/** The attributes of an e-mail or phone field, and how to make an entry from a plain address. */
export interface ContactGroup extends GroupAttributes {
  readonly addressKey: AddressKey;
  /** The property of each entry that searches compare; `lower` is the address in lower case. */
  readonly comparedBy: 'lower' | 'phoneNumber';
  readonly maxCount: number;
  readonly toEntry: (address: string) => GroupEntry;
}

/**
 * Derives the attributes of a group. The list is authoritative; the address and the two flags mirror its primary entry.
 * A new list takes precedence over a new address and flags. A new address without a list replaces the primary one, and
 * null promotes the next entry.
 */
export function deriveGroup(
  group: ContactGroup,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  if (!touches(group, given)) return null;
  const entries = Object.hasOwn(given, group.entries)
    ? markOnePrimary(toEntries(given[group.entries]))
    : flagPrimary(group, given, replacePrimary(group, given, current));
  const primary = entries.find((entry) => entry.primary);
  return {
    [group.address]: primary?.[group.addressKey] ?? null,
    [group.entries]: entries,
    [group.isOptedOut]: primary?.optOut ?? false,
    [group.isInvalid]: primary?.invalid ?? false,
  };
}

export function nameGroupAttributes(field: string): GroupAttributes {
  return {
    address: field,
    entries: `${field}Data`,
    isOptedOut: `${field}IsOptedOut`,
    isInvalid: `${field}IsInvalid`,
  };
}

function touches(group: GroupAttributes, given: AttributeValues): boolean {
  const { address, entries, isOptedOut, isInvalid } = group;
  return [address, entries, isOptedOut, isInvalid].some((name) => Object.hasOwn(given, name));
}

function replacePrimary(
  group: ContactGroup,
  given: AttributeValues,
  current: AttributeValues | null,
): readonly GroupEntry[] {
  const before = toEntries(current?.[group.entries]);
  const address = given[group.address];
  if (address === undefined) return before;
  const others = before.filter((entry) => !entry.primary);
  if (typeof address !== 'string') return markOnePrimary(others);
  const key = toGroupKey(address);
  const known = before.find((entry) => toGroupKey(entry[group.addressKey]) === key);
  const primary =
    known === undefined
      ? group.toEntry(address)
      : { ...known, [group.addressKey]: address, primary: true };
  return [primary, ...others.filter((entry) => entry !== known)];
}

function flagPrimary(
  group: GroupAttributes,
  given: AttributeValues,
  entries: readonly GroupEntry[],
): readonly GroupEntry[] {
  const optOut = given[group.isOptedOut];
  const invalid = given[group.isInvalid];
  return entries.map((entry) =>
    entry.primary
      ? {
          ...entry,
          optOut: optOut === undefined ? entry.optOut : optOut === true,
          invalid: invalid === undefined ? entry.invalid : invalid === true,
        }
      : entry,
  );
}

function toEntries(value: AttributeValue | undefined): readonly GroupEntry[] {
  return Array.isArray(value) ? value.filter(isGroupEntry) : [];
}

function isGroupEntry(value: AttributeValue): value is GroupEntry {
  return typeof value === 'object' && value !== null && 'primary' in value;
}
