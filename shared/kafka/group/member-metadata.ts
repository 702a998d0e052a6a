import { randomUUID } from 'node:crypto';
import type { KafkaConnection } from '../connection.ts';

/** What a member of a group tells the others with its join. */
export interface MemberMetadata {
  readonly address: string;
  readonly claims: Readonly<Record<string, string>>;
  readonly life: Life;
}

/** From the start of a process to its end. A process that starts again has another one, under the same address. */
export interface Life {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly id: string;
}

export function beginLife(): Life {
  return { since: Date.now(), id: randomUUID() };
}

/** Or the same. An order of all lives: clocks that differ only change which of two counts as the older one. */
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
 * The life of the member that has this address, of a process that lives or of one that was killed a moment ago: undefined
 * if there is none, `unknown` while the group agrees anew, when nothing is told of its members. Throws Unavailable.
 */
export async function findNamesake(
  connection: KafkaConnection,
  groupId: string,
  address: string,
): Promise<Life | undefined | 'unknown'> {
  const { groups } = await connection.onCoordinator(groupId, (broker) =>
    broker.describeGroups({ groupIds: [groupId] }),
  );
  const metadata = groups.flatMap(({ members }) => members.map((it) => it.memberMetadata));
  if (metadata.some(({ length }) => length === 0)) return 'unknown';
  return metadata.map(readMemberMetadata).find((one) => one.address === address)?.life;
}
