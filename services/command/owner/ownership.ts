/**
 * Partition ownership: determines which instance decides the commands for which partition.
 *
 * The Kafka group assigns partitions, but the fence in the log determines the owner. An instance fences a partition as
 * soon as the group assigns it, regardless of the current owner, and keeps a partition that was assigned elsewhere
 * until the other instance's fence is in the log. An instance that detects a dead owner takes the partition over
 * without waiting for the group, and keeps it in the next assignment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type GroupMember, joinGroup } from '../../../shared/kafka/group/group-member.ts';
import type { GroupAssignment } from '../../../shared/kafka/group/member-metadata.ts';
import { serviceGroupId } from '../../../shared/kafka/group/service-groups.ts';
import type { StartedContext } from '../context.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';

const HAND_OVER_MS = 900;
const HAND_OVER_POLL_MS = 20;

export class Ownership {
  readonly #context: StartedContext;
  readonly #writers: ReadonlyMap<string, PartitionWriter>;
  readonly #member: GroupMember;
  /** The latest known owner of each partition. */
  readonly #owners = new Map<string, string>();
  #assignment: GroupAssignment | undefined;

  /** `writers` are the writers of all partitions, by resource. */
  constructor(context: StartedContext, writers: ReadonlyMap<string, PartitionWriter>) {
    const { address, config, crash, kafka, log } = context;
    this.#context = context;
    this.#writers = writers;
    const groupId = serviceGroupId(config.topicPrefix, 'api');
    const resources = [...writers.keys()];
    const claims = () => this.#claims();
    const onAssigned = (assignment: GroupAssignment) => this.#onAssigned(assignment);
    const options = { groupId, address, resources, claims, onAssigned, crash };
    this.#member = joinGroup(kafka, options, log);
  }

  /** True if the group has an assignment and this instance owns all partitions assigned to it. */
  isReady(): boolean {
    const writers = [...this.#writers.values()];
    return (
      this.#assignment !== undefined &&
      writers.every((writer) => writer.isOwned() || !writer.isWanted())
    );
  }

  /** True if Kafka responds. Without Kafka no instance can write. */
  isConnected(): boolean {
    return this.#member.isConnected();
  }

  /** Returns `here`, the owner's address, or undefined while no owner is known. */
  ownerOf(resource: string): 'here' | { readonly address: string } | undefined {
    if (this.#writers.get(resource)?.isWanted()) return 'here';
    const address = this.#owners.get(resource);
    return address === undefined ? undefined : { address };
  }

  /** Returns the addresses of other instances that own a partition. */
  owners(): Iterable<string> {
    return this.#owners.values();
  }

  /** Returns the addresses of the other members of the group, all of which accept commands. */
  others(): readonly string[] {
    const { address } = this.#context;
    return (this.#assignment?.members ?? []).filter((member) => member !== address);
  }

  /** Stores the owner that the log or another instance has named. */
  setOwner(resource: string, address: string | undefined): void {
    // This instance's own address in the log or in an assignment belongs to an earlier process.
    if (address === undefined || address === this.#context.address) this.#owners.delete(resource);
    else this.#owners.set(resource, address);
  }

  takeOver(resource: string, reason: string): void {
    const writer = this.#writers.get(resource);
    if (writer === undefined || writer.isWanted()) return;
    this.#context.log.warn({ resource, owner: this.#owners.get(resource), reason }, 'taking over');
    writer.acquire();
  }

  /**
   * Leaves the group, and continues to decide commands for at most a second, until other instances have taken over all
   * partitions. Waits for DRAIN_TIME, so that load balancers notice the change. Returns immediately if this is the
   * only instance.
   */
  async handOver(): Promise<void> {
    const isAlone = (this.#assignment?.members.length ?? 1) <= 1;
    await this.#member.close();
    if (isAlone) return;
    const atLeast = sleep(this.#context.config.drainMs);
    const until = this.#context.now() + HAND_OVER_MS;
    const kept = () => [...this.#writers.values()].filter((writer) => writer.isWanted());
    while (kept().length > 0 && this.#context.now() < until) {
      for (const writer of kept()) writer.checkOwnership();
      await sleep(HAND_OVER_POLL_MS);
    }
    await atLeast;
    this.#context.log.info({ left: kept().length }, 'partitions handed over');
  }

  close(): Promise<void> {
    return this.#member.close();
  }

  #claims(): ReadonlyMap<string, bigint> {
    const claims = new Map<string, bigint>();
    for (const [resource, writer] of this.#writers) {
      const since = writer.ownedSince();
      if (since !== undefined) claims.set(resource, since);
    }
    return claims;
  }

  #onAssigned(assignment: GroupAssignment): void {
    this.#assignment = assignment;
    this.#context.log.info(
      { mine: [...assignment.mine], members: assignment.members.length },
      'assigned',
    );
    for (const [resource, writer] of this.#writers) {
      if (assignment.mine.has(resource)) writer.acquire();
      else this.setOwner(resource, assignment.addresses.get(resource));
    }
  }
}
