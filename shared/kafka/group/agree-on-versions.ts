/**
 * Decides which schema versions a process writes: the newest that the members of all groups read (docs/adr/0039).
 *
 *   before the first poll ──▶ baseline versions ──all groups have members with known versions──▶ newest common versions
 *                                    ▲                                                          │
 *                                    └──────────── a member that reads less appears ◀───────────┘
 *
 * A group that is empty or rebalancing reports nothing. Meanwhile, the versions are neither raised nor lowered: entries
 * in an older version would lack the newer fields.
 */
import {
  type AnnouncedVersions,
  baselineVersions,
  commonVersions,
  isOfOneVersion,
  lowest,
  readVersions,
  type SchemaVersions,
} from '../../events/schema-versions.ts';
import { runPeriodically } from '../../runtime/run-periodically.ts';
import { createKafkaConnection, type KafkaConnection, withKafka } from '../connection.ts';
import { fetchMetadata, readMemberMetadata } from './member-metadata.ts';
import {
  type GroupsPlace,
  groupedServices,
  queryGroupId,
  serviceGroupId,
} from './service-groups.ts';

/** The time within which a member that reads only older versions is detected. */
const LOOK_EVERY_MS = 1_000;

/** Polls the groups and returns the versions to write now. Does not poll while every schema has only one version. */
export function agreeOnVersions(
  { kafka, topicPrefix, log }: GroupsPlace,
  reads: SchemaVersions = readVersions,
) {
  let versions = baselineVersions;
  if (isOfOneVersion(reads)) return { versions: () => versions, close: async () => undefined };
  const connection = createKafkaConnection(kafka, log);
  const looking = runPeriodically(
    async () => {
      const next = nextVersions(versions, await readGroupVersions(connection, topicPrefix), reads);
      const isNew = JSON.stringify(next) !== JSON.stringify(versions);
      versions = next;
      if (isNew) log.info({ versions }, 'agreed on versions to write');
    },
    { log, what: 'versions that the members read', everyMs: LOOK_EVERY_MS },
  );
  return {
    versions: () => versions,
    async close() {
      await connection.close();
      await looking.close();
    },
  };
}

/**
 * Returns the versions to write according to the current group members, for a program that is not a member. Throws
 * Unavailable.
 */
export async function fetchCommonVersions(
  place: GroupsPlace,
  reads: SchemaVersions = readVersions,
): Promise<SchemaVersions> {
  if (isOfOneVersion(reads)) return baselineVersions;
  const groupVersions = await withKafka(place, (connection) =>
    readGroupVersions(connection, place.topicPrefix),
  );
  return nextVersions(baselineVersions, groupVersions, reads);
}

/**
 * The versions that the members of each group read; undefined for a group without members or without their metadata.
 */
type GroupVersions = readonly (readonly (AnnouncedVersions | undefined)[] | undefined)[];

export function nextVersions(
  before: SchemaVersions,
  groupVersions: GroupVersions,
  reads: SchemaVersions,
): SchemaVersions {
  const common = commonVersions(
    reads,
    groupVersions.flatMap((members) => members ?? []),
  );
  return groupVersions.includes(undefined) ? lowest([before, common]) : common;
}

async function readGroupVersions(
  connection: KafkaConnection,
  topicPrefix: string,
): Promise<GroupVersions> {
  const groupVersions: GroupVersions[number][] = [];
  // Sequential, because a failed request closes the connection, which would also make the other requests fail.
  for (const service of groupedServices) {
    groupVersions.push(
      toVersions(await fetchMembers(connection, serviceGroupId(topicPrefix, service))),
    );
  }
  const queries = await fetchMembers(connection, queryGroupId(topicPrefix));
  // An installation may run without query processes.
  return queries.length === 0 ? groupVersions : [...groupVersions, toVersions(queries)];
}

const fetchMembers = async (connection: KafkaConnection, groupId: string) =>
  fetchMetadata(connection, groupId).catch(emptyWithoutCoordinator);

function toVersions(metadata: readonly Buffer[]): GroupVersions[number] {
  const isComplete = metadata.length > 0 && metadata.every(({ length }) => length > 0);
  return isComplete ? metadata.map((one) => readMemberMetadata(one).reads) : undefined;
}

/** Errors that occur while a cluster creates or moves the coordinator of a group. */
const coordinatorErrors: ReadonlySet<string> = new Set([
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
]);

/** Returns no metadata if the group does not have a coordinator yet. Rethrows any other error. */
function emptyWithoutCoordinator(error: unknown): readonly Buffer[] {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'KafkaJSGroupCoordinatorNotFound') return [];
    if ('type' in cause && coordinatorErrors.has(String(cause.type))) return [];
  }
  throw error;
}
