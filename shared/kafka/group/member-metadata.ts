import { randomUUID } from 'node:crypto';
import type { AnnouncedVersions } from '../../events/schema-versions.ts';
import type { KafkaConnection } from '../connection.ts';

/** Metadata that a member sends with its join. */
export interface MemberMetadata {
  readonly address: string;
  readonly claims: Readonly<Record<string, string>>;
  readonly life: Life;
  /** The newest version of each schema that it reads. Missing before ADR 39. */
  readonly reads?: AnnouncedVersions;
}

/** The life of a process. After a restart a process has another one, under the same address. */
export interface Life {
  /** Start of the process, in milliseconds since 1970. */
  readonly since: number;
  readonly id: string;
}

export function beginLife(): Life {
  return { since: Date.now(), id: randomUUID() };
}

/**
 * Whether one life is older than another one, or the same. A total order: clock differences only change which one
 * counts as older.
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
 * The life of the member with this address, which may have been killed just now. Undefined if there is none, `unknown`
 * during a rebalance, when the group does not describe its members. Throws Unavailable.
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

/** Of all members, still encoded; empty during a rebalance. Throws Unavailable. */
export async function fetchMetadata(
  connection: KafkaConnection,
  groupId: string,
): Promise<readonly Buffer[]> {
  const { groups } = await connection.onCoordinator(groupId, (broker) =>
    broker.describeGroups({ groupIds: [groupId] }),
  );
  return groups.flatMap(({ members }) => members.map((it) => it.memberMetadata));
}
