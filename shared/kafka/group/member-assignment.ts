export interface GroupAssignment {
  /** Resources of this member. */
  readonly mine: ReadonlySet<string>;
  /** By resource the address of its member. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Of all members, this one included. */
  readonly members: readonly string[];
}

/** The same as it travels. */
export interface EncodedAssignment {
  readonly mine: readonly string[];
  readonly addresses: Readonly<Record<string, string>>;
  readonly members: readonly string[];
}

/** What a member is told when the group has agreed. */
export function readAssignment(bytes: Buffer): GroupAssignment {
  const { mine, addresses, members }: EncodedAssignment = JSON.parse(bytes.toString());
  return { mine: new Set(mine), addresses: new Map(Object.entries(addresses)), members };
}
