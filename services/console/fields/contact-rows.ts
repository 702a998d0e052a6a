import type { Values } from './input-parts.ts';

/** An e-mail address or phone number of a record. */
export interface ContactRow {
  readonly address: string;
  /** The kind of a phone number; empty for e-mail addresses. */
  readonly type: string;
  readonly primary: boolean;
  readonly optOut: boolean;
  readonly invalid: boolean;
}

/** The attribute of an entry with its address or number. */
export type AddressKey = 'emailAddress' | 'phoneNumber';

interface Group {
  readonly name: string;
  readonly addressKey: AddressKey;
  /** The kind of new rows; empty for e-mail addresses. */
  readonly type: string;
}

/** Returns the rows of a field. The first one is primary unless another is. */
export function toRows(
  values: Values,
  { name, type }: Pick<Group, 'name' | 'type'>,
): readonly ContactRow[] {
  const entries = values[`${name}Data`];
  if (!Array.isArray(entries) || entries.length === 0) {
    const address = values[name];
    return typeof address === 'string' && address !== ''
      ? [{ ...emptyRow(type), address, primary: true }]
      : [];
  }
  return withOnePrimary(
    entries.map(Object).map((entry) => ({
      address: String(entry.emailAddress ?? entry.phoneNumber ?? ''),
      type: typeof entry.type === 'string' ? entry.type : type,
      primary: entry.primary === true,
      optOut: entry.optOut === true,
      invalid: entry.invalid === true,
    })),
  );
}

/** Returns the attributes that store the rows. Omits rows without an address. */
export function fromRows(rows: readonly ContactRow[], { name, addressKey }: Group): Values {
  const given = withOnePrimary(rows.filter(({ address }) => address.trim() !== ''));
  const primary = given.find((row) => row.primary);
  return {
    [name]: primary?.address ?? null,
    [`${name}Data`]: given.map(({ address, type, ...flags }) => ({
      [addressKey]: address,
      ...(type === '' ? {} : { type }),
      ...flags,
    })),
  };
}

export function emptyRow(type: string): ContactRow {
  return { address: '', type, primary: false, optOut: false, invalid: false };
}

/** Makes the row at the position the only primary one. */
export function withPrimary(rows: readonly ContactRow[], position: number): readonly ContactRow[] {
  return rows.map((row, index) => ({ ...row, primary: index === position }));
}

function withOnePrimary(rows: readonly ContactRow[]): readonly ContactRow[] {
  const position = rows.findIndex(({ primary }) => primary);
  return withPrimary(rows, Math.max(0, position));
}
