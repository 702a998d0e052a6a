/** A member of a group, and the resources that it holds. A higher number means that the resource was taken later. */
export interface Claimant {
  readonly id: string;
  readonly claims: ReadonlyMap<string, bigint>;
}

/**
 * Distributes resources evenly (members differ by at most one), with as few changes as possible. If two members claim a
 * resource, the later one wins, because the other member was paused when it lost the resource. Deterministic.
 */
export function assignResources(
  members: readonly Claimant[],
  resources: readonly string[],
): ReadonlyMap<string, string> {
  const held = new Map(members.map(({ id }) => [id, [] as string[]]));
  for (const resource of resources) {
    const holder = newestClaimant(members, resource);
    if (holder !== undefined) held.get(holder.id)?.push(resource);
  }
  const each = Math.floor(resources.length / members.length);
  const more = resources.length % members.length;
  const assigned = new Map<string, string>();
  const shares = [...held]
    .sort(([one, its], [other, others]) => others.length - its.length || (one < other ? -1 : 1))
    .map(([id, holds], index) => ({ id, holds, room: each + (index < more ? 1 : 0) }));
  for (const share of shares) {
    for (const resource of share.holds.slice(0, share.room)) assigned.set(resource, share.id);
    share.room -= Math.min(share.room, share.holds.length);
  }
  for (const resource of resources.filter((one) => !assigned.has(one))) {
    const share = shares.reduce((one, other) => (other.room > one.room ? other : one));
    assigned.set(resource, share.id);
    share.room -= 1;
  }
  return assigned;
}

function newestClaimant(members: readonly Claimant[], resource: string): Claimant | undefined {
  let newest: { readonly member: Claimant; readonly claim: bigint } | undefined;
  for (const member of members) {
    const claim = member.claims.get(resource);
    if (claim !== undefined && (newest === undefined || claim > newest.claim)) {
      newest = { member, claim };
    }
  }
  return newest?.member;
}
