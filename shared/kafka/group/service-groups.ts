import type { Logger } from 'pino';
import type { KafkaAddress } from '../connection.ts';
import { describeGroups, type FoundGroup } from './describe-group.ts';

/** The groups by which the processes of a service share work. */
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
