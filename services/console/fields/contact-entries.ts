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
  const data = values[`${name}Data`];
  const entries = (Array.isArray(data) ? data : []).flatMap(toEntry);
  if (entries.length > 0) {
    return entries.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  }
  return toEntry({ emailAddress: values[name], primary: true });
}

function toEntry(entry: unknown): readonly ContactEntry[] {
  const { emailAddress, phoneNumber, type, primary, optOut, invalid } = Object(entry);
  const address: unknown = emailAddress ?? phoneNumber;
  if (typeof address !== 'string' || address === '') return [];
  return [
    {
      address,
      kind: typeof type === 'string' && type !== '' ? type : undefined,
      isPrimary: primary === true,
      isOptedOut: optOut === true,
      isInvalid: invalid === true,
    },
  ];
}
