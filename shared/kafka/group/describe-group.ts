import type { Logger } from 'pino';
import type { KafkaAddress } from '../connection.ts';
import { withAdmin } from '../describe-topics.ts';
import { readAssignment } from './member-assignment.ts';

/** Who takes care of what, as a group has agreed. */
export interface FoundGroup {
  /** Addresses of the members' internal listeners. */
  readonly members: readonly string[];
  /** By resource the address of its member. The log may know a newer owner for a moment. */
  readonly addresses: ReadonlyMap<string, string>;
}

const nobody: FoundGroup = { members: [], addresses: new Map() };

/** By the group's id; one without members is empty. Throws Unavailable. */
export function describeGroups(
  address: KafkaAddress,
  groupIds: readonly string[],
  log: Logger,
): Promise<ReadonlyMap<string, FoundGroup>> {
  return withAdmin(address, log, async (admin) => {
    const { groups } = await admin.describeGroups([...groupIds]);
    const found = groups.map(({ groupId, members }) => {
      // Every member is told everything; while the group agrees anew, nobody was told yet.
      const told = members.find(({ memberAssignment }) => memberAssignment.length > 0);
      return [groupId, told ? readAssignment(told.memberAssignment) : nobody] as const;
    });
    return new Map(found);
  });
}
