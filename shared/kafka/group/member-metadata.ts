import { randomUUID } from 'node:crypto';
import type { AnnouncedVersions } from '../../events/schema-versions.ts';
import type { KafkaConnection } from '../connection.ts';

/** The metadata that a member sends when it joins. */
interface MemberMetadata {
  readonly address: string;
  readonly claims: Readonly<Record<string, string>>;
  readonly life: Life;
  /** The newest version of each schema that the member reads. Absent before ADR 39. */
  readonly reads?: AnnouncedVersions;
}

/** Identifies one run of a process. A restarted process has the same address and a different life. */
interface Life {
  /** Start of the process, in milliseconds since 1970. */
  readonly since: number;
  readonly id: string;
}

export function beginLife(): Life {
  return { since: Date.now(), id: randomUUID() };
}

/**
 * Returns true if `one` is older than `other`, or the same. A total order, in which clock differences only affect which
 * one counts as older.
 */
export function isOlder(one: Life, other: Life): boolean {
  return one.since === other.since ? one.id <= other.id : one.since < other.since;
}

export function encodeMemberMetadata(metadata: MemberMetadata): Buffer {
  return Buffer.from(JSON.stringify(metadata));
}

export function readMemberMetadata(bytes: Buffer): MemberMetadata {
  return JSON.parse(bytes.toString());
}

/**
 * Returns the life of the member with this address, which may have just been killed. Undefined if none exists;
 * `unknown` during a rebalance, when the group does not describe its members. Throws Unavailable.
 */
export async function findNamesake(
  connection: KafkaConnection,
  groupId: string,
  address: string,
): Promise<Life | undefined | 'unknown'> {
  const metadata = await fetchMetadata(connection, groupId);
  if (metadata.some(({ length }) => length === 0)) return 'unknown';
  return metadata.map(readMemberMetadata).find((one) => one.address === address)?.life;
}

/** Returns the encoded metadata of all members; empty during a rebalance. Throws Unavailable. */
export async function fetchMetadata(
  connection: KafkaConnection,
  groupId: string,
): Promise<readonly Buffer[]> {
  const { groups } = await connection.onCoordinator(groupId, (broker) =>
    broker.describeGroups({ groupIds: [groupId] }),
  );
  return groups.flatMap(({ members }) => members.map((it) => it.memberMetadata));
}

/** The members of a group. The log may briefly have a newer owner of a resource. */
export interface FoundGroup {
  /** The address of the assigned member's internal listener, by resource. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Addresses of all members. */
  readonly members: readonly string[];
}

/** What the leader of the group sends to each member. */
export interface GroupAssignment extends FoundGroup {
  /** The resources of this member. */
  readonly mine: ReadonlySet<string>;
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
