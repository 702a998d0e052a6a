import { type AttributeValue, isObject } from '../../../value/attribute-values.ts';
import { type AttributeRule, invalid, type Report, refuse, tooMany } from '../../attribute-rule.ts';
import { readBool } from '../choice/read-bool.ts';
import type { TextRule } from '../text/read-text.ts';

/** An entry in `xData`: an address in an e-mail group or a number in a phone group. */
export type GroupEntry = Flags & { readonly [key: string]: AttributeValue };

interface Flags {
  readonly primary: boolean;
  readonly optOut: boolean;
  readonly invalid: boolean;
}

/** The key under which an entry stores its address or number. */
export type AddressKey = 'emailAddress' | 'phoneNumber';

export interface GroupRule extends AttributeRule {
  readonly addressKey: AddressKey;
  readonly maxCount: number;
  /** The rule for an entry's address or number. */
  readonly address: TextRule;
}

type GivenEntry = Readonly<Record<string, unknown>>;

/** Reads `xData`: a list without duplicates and with exactly one primary entry, the first if none is marked. */
export function readGroupEntries(
  rule: GroupRule,
  value: unknown,
  report: Report,
  readEntry: (given: GivenEntry) => GroupEntry | undefined,
): readonly GroupEntry[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value)) return refuse(rule, invalid('list', 'must be a list'), report);
  if (value.length > rule.maxCount) {
    return refuse(rule, tooMany(rule.maxCount, 'entry'), report);
  }
  const entries = new Map<string, GroupEntry>();
  for (const given of value) {
    if (!isObject(given)) {
      return refuse(rule, invalid('list', 'must be a list of objects'), report);
    }
    const entry = readEntry(given);
    if (entry === undefined) return undefined;
    const key = toGroupKey(entry[rule.addressKey]);
    const known = entries.get(key);
    entries.set(key, known === undefined ? entry : joinEntries(known, entry));
  }
  return markOnePrimary([...entries.values()]);
}

/** Reads the flags; missing flags are false. Returns undefined if one of them is not a boolean. */
export function readFlags(
  { field }: AttributeRule,
  given: GivenEntry,
  report: Report,
): Flags | undefined {
  const read = (name: string) => readBool({ field, attribute: name }, given[name] ?? null, report);
  const primary = read('primary');
  const optOut = read('optOut');
  const invalid = read('invalid');
  if (primary === undefined || optOut === undefined || invalid === undefined) return undefined;
  return { primary, optOut, invalid };
}

/** Returns the deduplication key: entries with equal keys have the same address. */
export function toGroupKey(address: AttributeValue | undefined): string {
  return typeof address === 'string' ? address.toLowerCase() : '';
}

export function markOnePrimary(entries: readonly GroupEntry[]): readonly GroupEntry[] {
  const chosen = entries.find(({ primary }) => primary) ?? entries[0];
  return entries.map((entry) => ({ ...entry, primary: entry === chosen }));
}

function joinEntries(first: GroupEntry, second: GroupEntry): GroupEntry {
  return {
    ...first,
    primary: first.primary || second.primary,
    optOut: first.optOut || second.optOut,
    invalid: first.invalid || second.invalid,
  };
}
