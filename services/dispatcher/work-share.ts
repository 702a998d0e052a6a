/**
 * This process's share of the dispatchers' work, which is divided through a Kafka group:
 *
 *   queue         matching and enqueuing. One process at a time does this, because the order of a webhook's events and
 *                 the number of events per run are properties of the whole log
 *   deliver/<p>   delivery of partition p
 *   everything    replaces the others if requests per run are limited: that limit is global, and the few requests that
 *                 it allows do not justify sharing
 *
 * Every process supports all names, so the settings of the group's leader do not matter.
 */
import type { Logger } from 'pino';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import { type GroupMember, joinGroup } from '../../shared/kafka/group/group-member.ts';
import type { GroupAssignment } from '../../shared/kafka/group/member-metadata.ts';
import { TransactionSuperseded } from '../../shared/kafka/transactor.ts';
import { LeaderTask, type Work } from './leader-task.ts';

interface WorkShareDeps {
  readonly kafka: KafkaAddress;
  readonly groupId: string;
  /** The address of this process's internal listener. */
  readonly address: string;
  readonly partitions: number;
  /** Whether requests per run are limited. */
  readonly isLimited: boolean;
  startQueue(onFailure: (error: unknown) => void): Work;
  startDelivery(partition: number, onFailure: (error: unknown) => void): Work;
  /** Called for a bug, or if another process has the same address. */
  crash(error: unknown): void;
  readonly log: Logger;
}

const everything = 'everything';
const queue = 'queue';

export class WorkShare {
  readonly #queue: LeaderTask;
  readonly #deliveries: ReadonlyMap<string, LeaderTask>;
  readonly #member: GroupMember;
  readonly #log: Logger;

  constructor(deps: WorkShareDeps) {
    const { kafka, groupId, address, partitions, isLimited, crash, log } = deps;
    this.#log = log;
    const toLeaderTask = (name: string, start: WorkShareDeps['startQueue']) =>
      new LeaderTask({
        name,
        start: (onSuperseded) =>
          start((error) =>
            error instanceof TransactionSuperseded ? onSuperseded() : crash(error),
          ),
        confirmedAt: () => this.#member.confirmedAt(),
        log,
      });
    this.#queue = toLeaderTask(queue, deps.startQueue);
    this.#deliveries = new Map(
      Array.from({ length: partitions }, (_, partition) => {
        const name = `deliver/${partition}`;
        return [name, toLeaderTask(name, (onFailure) => deps.startDelivery(partition, onFailure))];
      }),
    );
    const resources = isLimited ? [everything] : [queue, ...this.#deliveries.keys()];
    const claims = () => this.#claims();
    const onAssigned = (assignment: GroupAssignment) => this.#onAssigned(assignment);
    this.#member = joinGroup(
      kafka,
      { groupId, resources, address, claims, onAssigned, crash },
      log,
    );
  }

  /** Each part runs here, or is assigned to another process. */
  checks(): Readonly<Record<'kafka' | 'queue' | 'delivery', boolean>> {
    const deliveries = [...this.#deliveries.values()];
    return {
      // An idle queue or delivery would not detect a lost connection for minutes.
      kafka: this.#member.isConnected(),
      queue: this.#queue.isReady(),
      delivery: deliveries.every((task) => task.isReady()),
    };
  }

  /** Leaves the group first, so that others can start immediately, then finishes running work. */
  async close(): Promise<void> {
    await this.#member.close();
    // The queue closes first, so that nothing new is enqueued while delivery finishes.
    await this.#queue.close();
    await Promise.all([...this.#deliveries.values()].map((task) => task.close()));
  }

  #onAssigned({ mine, members }: GroupAssignment): void {
    this.#log.info({ mine: [...mine], members: members.length }, 'assigned');
    const isMine = (name: string): boolean => mine.has(name) || mine.has(everything);
    this.#queue.assign(isMine(queue));
    for (const [name, task] of this.#deliveries) task.assign(isMine(name));
  }

  #claims(): ReadonlyMap<string, bigint> {
    const claims = new Map<string, bigint>();
    const leaderTasks = [
      [everything, this.#queue],
      [queue, this.#queue],
      ...this.#deliveries,
    ] as const;
    for (const [name, task] of leaderTasks) {
      const since = task.since();
      if (since !== undefined) claims.set(name, since);
    }
    return claims;
  }
}
