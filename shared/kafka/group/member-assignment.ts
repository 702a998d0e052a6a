export interface GroupAssignment {
  /** The resources of this member. */
  readonly mine: ReadonlySet<string>;
  /** The address of the assigned member, by resource. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Addresses of all members, including this one. */
  readonly members: readonly string[];
}

/** The JSON form of an assignment. */
export interface EncodedAssignment {
  readonly mine: readonly string[];
  readonly addresses: Readonly<Record<string, string>>;
  readonly members: readonly string[];
}

/** Decodes an assignment that a member receives. */
export function readAssignment(bytes: Buffer): GroupAssignment {
  const { mine, addresses, members }: EncodedAssignment = JSON.parse(bytes.toString());
  return { mine: new Set(mine), addresses: new Map(Object.entries(addresses)), members };
}
