import type { Logger } from 'pino';
import type { KafkaAddress } from '../connection.ts';
import { withAdmin } from '../describe-topics.ts';
import { type FoundGroup, readAssignment } from './member-metadata.ts';

/** The groups through which the processes of a service share work. */
const serviceGroups = {
  api: 'owners',
  projector: 'projectors',
  dispatcher: 'dispatchers',
} as const;
export type GroupedService = keyof typeof serviceGroups;
export const groupedServices = Object.keys(serviceGroups) as readonly GroupedService[];

export function serviceGroupId(topicPrefix: string, service: GroupedService): string {
  return `${topicPrefix}.${serviceGroups[service]}`;
}

/**
 * The group of the query processes. They share no work: apis read the members, because a change of the directory is
 * acknowledged only when every query process has read it.
 */
export function queryGroupId(topicPrefix: string): string {
  return `${topicPrefix}.readers`;
}

/** The Kafka address and topic prefix of the installation whose groups are read. */
export interface GroupsPlace {
  readonly kafka: KafkaAddress;
  readonly topicPrefix: string;
  readonly log: Logger;
}

/** Reads the members of each service and their assignments. Throws Unavailable. */
export async function describeServices(
  place: GroupsPlace,
): Promise<Readonly<Record<GroupedService, FoundGroup>>> {
  const { kafka, topicPrefix, log } = place;
  const idOf = (service: GroupedService): string => serviceGroupId(topicPrefix, service);
  const groups = await describeGroups(kafka, groupedServices.map(idOf), log);
  const find = (service: GroupedService): FoundGroup =>
    groups.get(idOf(service)) ?? { members: [], addresses: new Map() };
  return { api: find('api'), projector: find('projector'), dispatcher: find('dispatcher') };
}

/**
 * The assignment and the addresses of the members' internal listeners. The log may briefly have a newer owner of a
 * resource.
 */
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
