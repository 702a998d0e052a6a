export interface GroupAssignment {
  /** The resources of this member. */
  readonly mine: ReadonlySet<string>;
  /** By resource: the address of its member. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Addresses of all members, this one included. */
  readonly members: readonly string[];
}

/** An assignment as JSON. */
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
