import { toRows } from './contact-rows.ts';
import type { Values } from './input-parts.ts';

/** An e-mail address or a phone number of a record. */
export interface ContactEntry {
  readonly address: string;
  /** The kind of a phone number, such as `Mobile`. */
  readonly kind: string | undefined;
  readonly isPrimary: boolean;
  readonly isOptedOut: boolean;
  readonly isInvalid: boolean;
}

/** Returns the entries of an e-mail or phone field, the primary one first. Responses may have only the primary address. */
export function contactEntriesOf(values: Values, name: string): readonly ContactEntry[] {
  return toRows(values, { name, type: '' })
    .filter(({ address }) => address !== '')
    .toSorted((a, b) => Number(b.primary) - Number(a.primary))
    .map(({ address, type, primary, optOut, invalid }) => ({
      address,
      kind: type === '' ? undefined : type,
      isPrimary: primary,
      isOptedOut: optOut,
      isInvalid: invalid,
    }));
}
