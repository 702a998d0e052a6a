import type { Logger } from 'pino';
import type { KafkaAddress } from '../connection.ts';
import { withAdmin } from '../describe-topics.ts';
import { type GroupAssignment, readAssignment } from './member-assignment.ts';

/**
 * The assignment and the addresses of the members' internal listeners. The log may briefly have a newer owner of a
 * resource.
 */
export type FoundGroup = Pick<GroupAssignment, 'members' | 'addresses'>;

const emptyGroup: FoundGroup = { members: [], addresses: new Map() };

/** Reads the assignments of groups. A group without members is empty. Throws Unavailable. */
export function describeGroups(
  address: KafkaAddress,
  groupIds: readonly string[],
  log: Logger,
): Promise<ReadonlyMap<string, FoundGroup>> {
  return withAdmin(address, log, async (admin) => {
    const { groups } = await admin.describeGroups([...groupIds]);
    const found = groups.map(({ groupId, members }) => {
      // Every member has the whole assignment. During a rebalance no member has it yet.
      const withAssignment = members.find(({ memberAssignment }) => memberAssignment.length > 0);
      return [
        groupId,
        withAssignment ? readAssignment(withAssignment.memberAssignment) : emptyGroup,
      ] as const;
    });
    return new Map(found);
  });
}
