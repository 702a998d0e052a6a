/**
 * Which instance decides about which partition.
 *
 * The group says who should, the log who does. A partition that the group gives us is fenced at once, whoever has it;
 * one that it gives away stays ours until the other's fence stands in the log. An owner that is found dead is replaced
 * by whoever found it, without waiting for the group, which later leaves the partition where it then is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import { type GroupMember, joinGroup } from '../../../shared/kafka/group/group-member.ts';
import type { GroupAssignment } from '../../../shared/kafka/group/member-assignment.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';

interface OwnershipDeps {
  readonly kafka: KafkaAddress;
  readonly groupId: string;
  /** Of this instance's internal listener. */
  readonly address: string;
  /** By resource: a writer for every partition there is. */
  readonly writers: ReadonlyMap<string, PartitionWriter>;
  readonly crash: (error: unknown) => void;
  readonly log: Logger;
}

const HAND_OVER_MS = 900;
const HAND_OVER_POLL_MS = 20;
/** Twice as long as a load balancer waits between two questions. */
const NOTICED_WITHIN_MS = 500;

export class Ownership {
  readonly #deps: OwnershipDeps;
  readonly #member: GroupMember;
  /** The newest that was heard of each partition's owner. */
  readonly #owners = new Map<string, string>();
  #assignment: GroupAssignment | undefined;

  constructor(deps: OwnershipDeps) {
    const { kafka, groupId, address, writers, crash, log } = deps;
    this.#deps = deps;
    const options = {
      groupId,
      address,
      resources: [...writers.keys()],
      claims: () => this.#claims(),
      onAssigned: (assignment: GroupAssignment) => this.#onAssigned(assignment),
      crash,
    };
    this.#member = joinGroup(kafka, options, log);
  }

  /** The group has said who should decide about what, and nothing that this instance wants is still out of reach. */
  isReady(): boolean {
    const writers = [...this.#deps.writers.values()];
    return (
      this.#assignment !== undefined &&
      writers.every((writer) => writer.isOwned() || !writer.isWanted())
    );
  }

  /** Kafka answers. Without it nothing can be written, whoever owns what. */
  isConnected(): boolean {
    return this.#member.isConnected();
  }

  /** `here`, the address of the instance that decides, or undefined while nobody is known to. */
  ownerOf(resource: string): 'here' | { readonly address: string } | undefined {
    if (this.#deps.writers.get(resource)?.isWanted()) return 'here';
    const address = this.#owners.get(resource);
    return address === undefined ? undefined : { address };
  }

  /** Addresses of other instances that decide about something. */
  owners(): Iterable<string> {
    return this.#owners.values();
  }

  /** Addresses of the other members of the group: all that take commands. */
  others(): readonly string[] {
    const { address } = this.#deps;
    return (this.#assignment?.members ?? []).filter((member) => member !== address);
  }

  /** The log, or an instance that was asked, names another owner than was thought. */
  noteOwner(resource: string, address: string | undefined): void {
    // Our own address is what an earlier life of this instance left in the log, or its group in a table.
    if (address === undefined || address === this.#deps.address) this.#owners.delete(resource);
    else this.#owners.set(resource, address);
  }

  takeOver(resource: string, reason: string): void {
    const writer = this.#deps.writers.get(resource);
    if (writer === undefined || writer.isWanted()) return;
    this.#deps.log.warn({ resource, owner: this.#owners.get(resource), reason }, 'taking over');
    writer.acquire();
  }

  /**
   * Leaves the group and goes on deciding until the others have taken every partition, for at most a second; and for
   * some time at least, in which clients and whoever stands before them learn of it. Without others there is nothing
   * to wait for.
   */
  async handOver(): Promise<void> {
    const isAlone = (this.#assignment?.members.length ?? 1) <= 1;
    await this.#member.close();
    if (isAlone) return;
    const atLeast = sleep(NOTICED_WITHIN_MS);
    const until = Date.now() + HAND_OVER_MS;
    const kept = () => [...this.#deps.writers.values()].filter((writer) => writer.isWanted());
    while (kept().length > 0 && Date.now() < until) {
      for (const writer of kept()) writer.checkOwnership();
      await sleep(HAND_OVER_POLL_MS);
    }
    await atLeast;
    this.#deps.log.info({ left: kept().length }, 'partitions handed over');
  }

  close(): Promise<void> {
    return this.#member.close();
  }

  #claims(): ReadonlyMap<string, bigint> {
    const claims = new Map<string, bigint>();
    for (const [resource, writer] of this.#deps.writers) {
      const since = writer.ownedSince();
      if (since !== undefined) claims.set(resource, since);
    }
    return claims;
  }

  #onAssigned(assignment: GroupAssignment): void {
    this.#assignment = assignment;
    const { log, writers } = this.#deps;
    log.info({ mine: [...assignment.mine], members: assignment.members.length }, 'assigned');
    for (const [resource, writer] of writers) {
      if (assignment.mine.has(resource)) writer.acquire();
      else this.noteOwner(resource, assignment.addresses.get(resource));
    }
  }
}
