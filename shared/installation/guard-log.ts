/**
 * Ensures that a process works only on the log of its installation (docs/adr/0024).
 *
 *   inspecting ──new──▶ create topics, then a mark ──▶ inspecting
 *      ▲  ──unmarked, or topics added by this version──▶ create missing topics, then a mark ──▶ inspecting
 *      │  ──known──▶ open ──▶ watching ──another or damaged log──▶ onLost; another generation ──▶ onAccepted
 *      └── refused, or a component is unreachable: report it and retry
 *
 * Only processes with a database connection create topics and marks, because positions or a mark in Postgres prove that
 * a log existed before.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import type { ServiceSettings } from '../config/service-settings.ts';
import { outageOf } from '../db/outage-of.ts';
import { createClient } from '../db/pool.ts';
import { Unavailable } from '../domain/errors.ts';
import {
  createKafkaConnection,
  type KafkaAddress,
  type KafkaConnection,
} from '../kafka/connection.ts';
import { agreeOnVersions } from '../kafka/group/agree-on-versions.ts';
import type { LogDamaged } from '../kafka/log-damaged.ts';
import { endOffset, type PartitionPosition } from '../kafka/read-partitions.ts';
import { ensureTopics, type TopicNames } from '../kafka/topics.ts';
import { keepTrying } from '../runtime/keep-trying.ts';
import { createEntryCodes } from '../secrets/entry-codes.ts';
import type { ServiceContext } from '../service/run-service.ts';
import {
  assessDamage,
  assessEnd,
  assessReplacement,
  compareTopics,
  type LogFindings,
  type RefusedLog,
} from './assess-log.ts';
import { findLogDamage } from './find-log-damage.ts';
import { inspectLog, type LogInspection, markLog, readLog } from './inspect-log.ts';
import { type Mark, trustedBefore } from './mark.ts';
import { storeMark } from './mark-table.ts';
import { readMarks } from './mark-topic.ts';
import { readEnds } from './read-ends.ts';
import { wholeTopics } from './whole-topics.ts';

interface GuardOptions {
  readonly topics: TopicNames;
  readonly secretKey: string;
  readonly recordPartitions: number;
  readonly kafka: KafkaAddress;
  /** Undefined in a process without a database connection, which waits until another process has marked the log. */
  readonly databaseUrl?: string | undefined;
  /** Called when the log is no longer the one with which the process started. */
  readonly onLost?: ((problem: string) => void) | undefined;
  /** Called when an operator has accepted a log other than the one with which the process started. */
  readonly onAccepted: (what: string) => void;
  readonly log: Logger;
}

type GuardedService = Pick<
  ServiceContext<ServiceSettings & { readonly databaseUrl?: string }>,
  'config' | 'lifecycle' | 'log' | 'restart'
>;

/** Creates the guard of a service. The service restarts when another log is accepted. */
export function guardLog(
  { config, lifecycle, log, restart }: GuardedService,
  { clientId, onLost }: { readonly clientId: string; readonly onLost?: GuardOptions['onLost'] },
): LogGuard {
  const kafka = { ...config.kafka, clientId };
  const agreement = agreeOnVersions({ ...config, kafka, log });
  lifecycle.opened('agreement on versions', agreement.close);
  const { versions } = agreement;
  const options = { ...config, kafka: { ...kafka, versions }, onAccepted: restart, onLost, log };
  const guard = new LogGuard(options);
  lifecycle.opened('log guard', () => guard.close());
  return guard;
}

const WATCH_EVERY_MS = 2_000;
/** A broker that has just started may not have all topics or all partition ends yet. */
const FAILED_CHECKS_BEFORE_LOST = 3;

export class LogGuard {
  /**
   * The address for connections to the log. Connections opened with it add codes to the entries that they write and
   * verify the codes of the entries that they read. They use the agreed schema versions and the current partitions.
   */
  readonly kafka: KafkaAddress;
  /** Resolves when the log has been verified to belong to this installation. */
  readonly opened: Promise<void>;
  readonly #options: GuardOptions;
  readonly #connection: KafkaConnection;
  readonly #ends = new LogEnds();
  readonly #suspects = new SuspectPlaces();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #mark: Mark | undefined;
  #problem: string | undefined;
  #onMark: () => void = () => undefined;
  #failedChecks = 0;
  #isCompared = false;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.kafka = {
      ...options.kafka,
      codes: createEntryCodes(options.secretKey, (place) => trustedBefore(this.#mark, place)),
      partitionsInUse: (topic) => this.#mark?.topics[topic]?.used,
      whole: wholeTopics(
        options.topics,
        () => this.#mark,
        (damage) => this.#suspects.add(damage),
      ),
    };
    this.#connection = createKafkaConnection(this.kafka, options.log);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.opened = promise;
    this.#running = this.#run(resolve);
  }

  /** True if fences that this process writes seal their partitions. */
  readonly seals = (): boolean => this.#mark?.sealed === true;

  /** Returns how many partitions of a topic are in use. Only valid after `opened`. */
  partitionsOf(topic: string): number {
    const marked = this.#mark?.topics[topic];
    if (marked === undefined) throw new Error(`the partitions of ${topic} are not known yet`);
    return marked.used;
  }

  /** Sets the listener that is called whenever the log gets a new mark, for example to be sealed. */
  onMark(listener: () => void): void {
    this.#onMark = listener;
  }

  /** Returns why nothing may be written; undefined while the log is the installation's own. */
  readonly problem = (): string | undefined => this.#problem;

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#connection.close();
    await this.#running;
  }

  async #run(onOpen: () => void): Promise<void> {
    try {
      while (this.#mark === undefined) {
        this.#mark = await keepTrying(
          'log',
          this.#options.log,
          () => this.#findMark(),
          this.#stopping.signal,
        );
      }
      onOpen();
      for (;;) {
        await sleep(WATCH_EVERY_MS, undefined, { signal: this.#stopping.signal });
        await this.#watch(this.#mark);
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
    }
  }

  /** Returns undefined after creating a mark, because another process may have been first. Throws Unavailable. */
  async #findMark(): Promise<Mark | undefined> {
    this.#stopping.signal.throwIfAborted();
    const { verdict, findings } = await this.#inspect();
    if (verdict.kind === 'refused') throw new Unavailable(verdict.says, verdict);
    if (verdict.kind === 'known' && verdict.added.length === 0) {
      await this.#store(findings, verdict.mark);
      return verdict.mark;
    }
    if (findings.database === undefined) {
      throw new Unavailable(
        'the log has no mark yet, and this process has no database to compare it with',
      );
    }
    await this.#makeMark(verdict.kind === 'known' ? verdict.mark : undefined);
    return undefined;
  }

  async #inspect(): Promise<LogInspection> {
    const inspection = await this.#withDatabase((client) =>
      inspectLog(this.#connection, this.#options.topics, client),
    );
    this.#isCompared = this.#options.databaseUrl === undefined || inspection !== undefined;
    return inspection ?? inspectLog(this.#connection, this.#options.topics, undefined);
  }

  /** Returns undefined if the database is unreachable: a marked log can be opened without it and is compared later. */
  async #withDatabase<Result>(work: (client: Client) => Promise<Result>) {
    const { databaseUrl: url } = this.#options;
    if (url === undefined) return undefined;
    const client = createClient({ url, applicationName: 'annals-log' });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if (outageOf(error) === undefined) throw error;
      return undefined;
    }
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #makeMark(known: Mark | undefined): Promise<void> {
    const { kafka, topics, log } = this.#options;
    await ensureTopics(kafka, topics, this.#options, log);
    const place = { connection: this.#connection, topics, log };
    await markLog(place, known ?? { sealed: await this.#isEmpty() });
  }

  /** Entries that older processes without codes have written, or may still write, must continue to count. */
  async #isEmpty(): Promise<boolean> {
    const { directory, records } = this.#options.topics;
    for (const topic of [directory, records]) {
      const ends = await readEnds(this.#connection, topic);
      if (ends.some(({ offset }) => offset > 0n)) return false;
    }
    return true;
  }

  async #store({ database }: LogFindings, mark: Mark): Promise<void> {
    if (database === undefined || database.mark?.revision === mark.revision) return;
    await this.#withDatabase((client) => storeMark(client, mark));
  }

  async #watch(known: Mark): Promise<void> {
    try {
      const problem = await this.#compare(known);
      if (this.#stopping.signal.aborted) return;
      this.#failedChecks = problem === undefined ? 0 : this.#failedChecks + 1;
      if (problem === undefined) this.#problem = undefined;
      else if (problem.isCertain || this.#failedChecks >= FAILED_CHECKS_BEFORE_LOST)
        this.#report(problem);
    } catch (err) {
      // Kafka or Postgres is unreachable, which the readiness checks report.
      if (!(err instanceof Unavailable)) throw err;
    }
  }

  async #compare(known: Mark): Promise<Problem | undefined> {
    const { topics, log: logger } = this.#options;
    const connection = this.#connection;
    const log = await readLog(connection, topics);
    const isMarked = log.topics.has(topics.installation);
    const mark = isMarked ? (await readMarks(connection, topics.installation)).mark : undefined;
    if (mark !== undefined && mark.generation !== known.generation) {
      // This process's memory reflects the former log, so it writes nothing until it has restarted.
      this.#problem = 'another log was accepted';
      this.#stopping.abort();
      this.#options.onAccepted(this.#problem);
      return undefined;
    }
    const changed = compareTopics(log, known);
    if (changed !== undefined) {
      const isGone = Object.keys(known.topics).some((topic) => !log.topics.has(topic));
      return { ...changed, isCertain: !isGone };
    }
    if (mark !== undefined && mark.revision > known.revision) {
      this.#mark = mark;
      this.#onMark();
    }
    const found = { log, topics, mark: this.#mark, suspects: this.#suspects.list() };
    const replaced = assessReplacement(mark);
    // The command that replaces the log creates the next mark.
    if (replaced !== undefined) return { ...replaced, isCertain: true };
    const damaged = assessDamage(await findLogDamage(connection, found));
    if (damaged !== undefined) {
      await this.#suspects.addTo(this.#mark ?? known, { connection, topics, log: logger });
      return { ...damaged, isCertain: true };
    }
    const shrunk = await this.#ends.compare(connection, this.#truthOf(known));
    if (shrunk !== undefined) return { ...shrunk, isCertain: false };
    if (this.#isCompared) return undefined;
    const { verdict, findings } = await this.#inspect();
    if (verdict.kind === 'refused') return { ...verdict, isCertain: true };
    await this.#store(findings, known);
    return undefined;
  }

  #truthOf({ topics }: Mark) {
    const { directory, records } = this.#options.topics;
    return [directory, records].flatMap((topic) =>
      Array.from({ length: topics[topic]?.used ?? 0 }, (_, partition) => ({ topic, partition })),
    );
  }

  #report({ says, remedy }: Problem): void {
    if (this.#problem === says) return;
    this.#problem = says;
    this.#options.log.error(
      { problem: says, remedy },
      'this is no longer the log of this installation',
    );
    this.#options.onLost?.(says);
  }
}

interface Problem {
  readonly says: string;
  readonly remedy: string;
  /** False if topics or entries are missing: a broker that has just started may not have all of them yet. */
  readonly isCertain: boolean;
}

/**
 * The highest seen end of each partition. Positions in Postgres are compared with the log only at startup. Without this
 * check, an idle process would not notice that a broker came back with fewer entries.
 */
class LogEnds {
  readonly #highest = new Map<string, bigint>();

  /** Returns the problem if a partition has become shorter; undefined otherwise. Throws Unavailable. */
  async compare(
    connection: KafkaConnection,
    partitions: readonly { readonly topic: string; readonly partition: number }[],
  ): Promise<RefusedLog | undefined> {
    const verdicts = await Promise.all(
      partitions.map(async ({ topic, partition }) => {
        const name = `${topic}/${partition}`;
        const highest = this.#highest.get(name) ?? 0n;
        const end = await endOffset(connection, topic, partition);
        if (end > highest) this.#highest.set(name, end);
        return assessEnd(name, { end, highest });
      }),
    );
    return verdicts.find((verdict) => verdict !== undefined);
  }
}

/**
 * Places where readers of this process found damage, one per partition. Other processes may never read these places,
 * and this process loses the list on restart. The places are therefore added to the mark, and every process checks
 * them.
 */
class SuspectPlaces {
  readonly #byPartition = new Map<string, PartitionPosition>();

  add({ place }: LogDamaged): void {
    const partition = `${place.topic}/${place.partition}`;
    if (!this.#byPartition.has(partition)) this.#byPartition.set(partition, place);
  }

  list(): readonly PartitionPosition[] {
    return [...this.#byPartition.values()];
  }

  /** Adds places missing from the mark to a new mark. Failures are logged; the next check retries. */
  async addTo(known: Mark, log: Parameters<typeof markLog>[0]): Promise<void> {
    const marked = known.suspects ?? [];
    const unmarked = this.list().filter(({ topic, partition }) =>
      marked.every((one) => one.topic !== topic || one.partition !== partition),
    );
    if (unmarked.length === 0) return;
    const added = unmarked.map((place) => ({ ...place, offset: String(place.offset) }));
    try {
      await markLog(log, { ...known, suspects: [...marked, ...added] });
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      log.log.warn({ err }, 'cannot add the log damage to the mark');
    }
  }
}
