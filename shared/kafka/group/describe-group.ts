import type { Logger } from 'pino';
import type { KafkaAddress } from '../connection.ts';
import { withAdmin } from '../describe-topics.ts';
import { type GroupAssignment, readAssignment } from './member-assignment.ts';

/** Addresses of the members' internal listeners. The log may briefly have a newer owner of a resource. */
export type FoundGroup = Pick<GroupAssignment, 'members' | 'addresses'>;

const nobody: FoundGroup = { members: [], addresses: new Map() };

/** Reads the assignment of a group by its id. Empty without members. Throws Unavailable. */
export function describeGroups(
  address: KafkaAddress,
  groupIds: readonly string[],
  log: Logger,
): Promise<ReadonlyMap<string, FoundGroup>> {
  return withAdmin(address, log, async (admin) => {
    const { groups } = await admin.describeGroups([...groupIds]);
    const found = groups.map(({ groupId, members }) => {
      // All members have the whole assignment. During a rebalance none has it yet.
      const told = members.find(({ memberAssignment }) => memberAssignment.length > 0);
      return [groupId, told ? readAssignment(told.memberAssignment) : nobody] as const;
    });
    return new Map(found);
  });
}
