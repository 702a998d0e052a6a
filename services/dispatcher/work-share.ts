/**
 * The share of the dispatchers' work that this process does. A Kafka group divides the work:
 *
 *   queue         matching and enqueuing. One process at a time does this, because the order of a webhook's events and
 *                 the number of events per run are properties of the whole log
 *   deliver/<p>   delivery of partition p
 *   everything    replaces the others if requests per run are limited: that limit is global, and the few requests that
 *                 it allows do not justify sharing
 *
 * Every process supports all parts, so the settings of the group's leader do not matter.
 */
import { type GroupMember, joinGroup } from '../../shared/kafka/group/group-member.ts';
import type { GroupAssignment } from '../../shared/kafka/group/member-metadata.ts';
import { serviceGroupId } from '../../shared/kafka/group/service-groups.ts';
import {
  createTransactor,
  TransactionSuperseded,
  type Transactor,
} from '../../shared/kafka/transactor.ts';
import { runPeriodically } from '../../shared/runtime/run-periodically.ts';
import type { DispatcherContext } from './context.ts';
import { trimRetries } from './deliver/progress/trim-retries.ts';
import type { Delivery } from './deliver/run-delivery.ts';
import { LeaderTask, type Work } from './leader-task.ts';
import { Replays } from './replay/replays.ts';
import { measureQueue, Queue, type QueueCounts } from './window/queue.ts';

const TRIM_EVERY_MS = 600_000;
const everything = 'everything';
const queue = 'queue';

export class WorkShare {
  readonly #context: DispatcherContext;
  readonly #queue: LeaderTask;
  readonly #deliveries: ReadonlyMap<string, LeaderTask>;
  readonly #member: GroupMember;
  readonly #counts: QueueCounts;
  #running: Queue | undefined;

  constructor(context: DispatcherContext, delivery: Delivery) {
    const { address, config, crash, kafka, log, partitions } = context;
    this.#context = context;
    this.#counts = measureQueue(context, () => this.#running?.positions() ?? []);
    this.#queue = this.#toLeaderTask(queue, (onFailure) => this.#startQueue(delivery, onFailure));
    this.#deliveries = new Map(
      Array.from({ length: partitions }, (_, partition) => {
        const name = `deliver/${partition}`;
        const start = (onFailure: (error: unknown) => void) => delivery.open(partition, onFailure);
        return [name, this.#toLeaderTask(name, start)];
      }),
    );
    const isLimited = config.requestPortionSize > 0;
    this.#member = joinGroup(
      kafka,
      {
        groupId: serviceGroupId(config.topicPrefix, 'dispatcher'),
        resources: isLimited ? [everything] : [queue, ...this.#deliveries.keys()],
        address,
        claims: () => this.#claims(),
        onAssigned: (assignment) => this.#onAssigned(assignment),
        crash,
      },
      log,
    );
  }

  /**
   * Returns whether this process is a connected member of the group, and whether each part of the work runs here or is
   * assigned to another process.
   */
  checks(): Readonly<Record<'kafka' | 'queue' | 'delivery', boolean>> {
    const deliveries = [...this.#deliveries.values()];
    return {
      // Checked separately, because an idle queue or delivery would not detect a lost connection for minutes.
      kafka: this.#member.isConnected(),
      queue: this.#queue.isReady(),
      delivery: deliveries.every((task) => task.isReady()),
    };
  }

  /** Leaves the group first, so that other processes can start immediately, and then finishes running work. */
  async close(): Promise<void> {
    await this.#member.close();
    // The queue closes first, so that nothing new is enqueued while delivery finishes.
    await this.#queue.close();
    await Promise.all([...this.#deliveries.values()].map((task) => task.close()));
  }

  #toLeaderTask(name: string, start: (onFailure: (error: unknown) => void) => Work): LeaderTask {
    const { crash, log } = this.#context;
    return new LeaderTask({
      name,
      start: (onSuperseded) =>
        start((error) => (error instanceof TransactionSuperseded ? onSuperseded() : crash(error))),
      confirmedAt: () => this.#member.confirmedAt(),
      log,
    });
  }

  /** Starts the queue, and also replays and trimming, which only the process that runs the queue does. */
  #startQueue(delivery: Delivery, onSuperseded: (error: unknown) => void): Work {
    const context = this.#context;
    const replays = new Replays(context, this.#openTransactor('replay'), onSuperseded);
    const trimming = runPeriodically(() => trimRetries(context), {
      log: context.log,
      what: 'processed entries of the topics with waiting batches',
      everyMs: TRIM_EVERY_MS,
    });
    const started = new Queue(context, this.#openTransactor('queue'), {
      counts: this.#counts,
      onRun: () => delivery.startRun(),
      onSuperseded,
    });
    this.#running = started;
    return {
      isWorking: () => started.isWorking(),
      close: () => Promise.all([started.close(), replays.close(), trimming.close()]),
    };
  }

  #openTransactor(name: 'queue' | 'replay'): Transactor {
    const { config, kafka, log } = this.#context;
    return createTransactor(
      kafka,
      {
        transactionalId: `${config.topicPrefix}.dispatcher.${name}`,
        positionsGroup: `${config.topicPrefix}.${name}`,
      },
      log,
    );
  }

  #onAssigned({ mine, members }: GroupAssignment): void {
    this.#context.log.info({ mine: [...mine], members: members.length }, 'assigned');
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
