/**
 * Which versions of its schemas a process writes: the newest that the members of all groups read (docs/adr/0039).
 *
 *   before the first look ──▶ what everybody reads ──all groups have members, and told──▶ the newest that all read
 *                                   ▲                                                       │
 *                                   └───────────── a member is there that reads less ◀──────┘
 *
 * A group that is empty or in the middle of a rebalance tells nothing, so nothing newer is written because of it; nor
 * anything older, as the fields of a newer version would be missing in what is written meanwhile.
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
import { keepLooking } from '../../runtime/keep-looking.ts';
import { createKafkaConnection, type KafkaConnection, withKafka } from '../connection.ts';
import { fetchMetadata, readMemberMetadata } from './member-metadata.ts';
import { type GroupsPlace, groupedServices, serviceGroupId } from './service-groups.ts';

export interface AgreementDeps extends GroupsPlace {
  /** What this process reads. */
  readonly reads?: SchemaVersions;
}

/** How long a member may be there that reads less, until it is noticed. */
const LOOK_EVERY_MS = 1_000;

/** The versions to write now: keeps looking who reads what. While there is one version of everything, nobody is asked. */
export function agreeOnVersions(deps: AgreementDeps) {
  const { kafka, topicPrefix, log, reads = readVersions } = deps;
  let versions = baselineVersions;
  if (isOfOneVersion(reads)) return { versions: () => versions, close: async () => undefined };
  const connection = createKafkaConnection(kafka, log);
  const looking = keepLooking(
    async () => {
      const next = nextVersions(versions, await readTold(connection, topicPrefix), reads);
      const isNew = JSON.stringify(next) !== JSON.stringify(versions);
      versions = next;
      if (isNew) log.info({ versions }, 'versions to write agreed');
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

/** For a program that is no member: the versions to write, as far as the groups tell now. Throws Unavailable. */
export async function askVersions(deps: AgreementDeps): Promise<SchemaVersions> {
  const { topicPrefix, reads = readVersions } = deps;
  if (isOfOneVersion(reads)) return baselineVersions;
  const told = await withKafka(deps, (connection) => readTold(connection, topicPrefix));
  return nextVersions(baselineVersions, told, reads);
}

/** What the members of each group tell: undefined for a group of which nobody knows. */
type Told = readonly (readonly (AnnouncedVersions | undefined)[] | undefined)[];

export function nextVersions(
  before: SchemaVersions,
  told: Told,
  reads: SchemaVersions,
): SchemaVersions {
  const common = commonVersions(
    reads,
    told.flatMap((members) => members ?? []),
  );
  return told.includes(undefined) ? lowest([before, common]) : common;
}

async function readTold(connection: KafkaConnection, topicPrefix: string): Promise<Told> {
  return Promise.all(
    groupedServices.map(async (service) => {
      const metadata = await fetchMetadata(connection, serviceGroupId(topicPrefix, service));
      const isTold = metadata.length > 0 && metadata.every(({ length }) => length > 0);
      return isTold ? metadata.map((one) => readMemberMetadata(one).reads) : undefined;
    }),
  );
}
