import { setTimeout as sleep } from 'node:timers/promises';
import { type LogInspection, markLog } from '../../../shared/installation/inspect-log.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { truthTopics } from '../../../shared/installation/whole-topics.ts';
import { type KafkaConnection, withKafka } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import { LogDamaged } from '../../../shared/kafka/log-damaged.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { CommandContext } from '../command-context.ts';
import { readUpTo } from '../partition-entries.ts';
import { countProgress } from '../progress.ts';
import type { Run } from './work-schema.ts';

type Damage = LogDamaged | BatchDamaged;

/** Returns the error if it reports damage; otherwise rethrows it. */
export function asDamage(error: unknown): Damage {
  if (error instanceof LogDamaged || error instanceof BatchDamaged) return error;
  throw error;
}

/** Runs `work` with a connection that reads the log as the services do. */
export async function withLogOf<Result>(
  { installation }: CommandContext,
  work: (kafka: KafkaConnection) => Promise<Result>,
): Promise<Result> {
  return withKafka({ ...installation, kafka: await toLogAddress(installation) }, work);
}

const bulk = {
  maxWaitMs: 100,
  maxBytes: 8 * 1024 * 1024,
  maxBytesPerPartition: 8 * 1024 * 1024,
};

/** Reads all entries in the log's topics, or in one partition of the records, and returns the first damage found. */
export async function scanLog(run: Run, partition?: number): Promise<Damage | undefined> {
  const { topics } = run.installation;
  const isWhole = partition === undefined;
  return withLogOf(run, async (kafka) => {
    const ends: PartitionPosition[] = [];
    for (const topic of isWhole ? truthTopics(topics) : [topics.records])
      ends.push(...(await readEnds(kafka, topic)));
    const scanned = ends.filter((end) => isWhole || end.partition === partition);
    const total = scanned.reduce((sum, { offset }) => sum + Number(offset), 0);
    const shown = run.progress(`Reading the ${isWhole ? 'log' : 'partition'}`);
    return countProgress(shown, total, async (add) => {
      for (const end of scanned) {
        let at = 0n;
        for await (const { nextOffset } of readUpTo(kafka, end, { options: bulk })) {
          add(Number(nextOffset - at));
          at = nextOffset;
        }
      }
      return undefined;
    }).catch(asDamage);
  });
}

/** Services check the mark every two seconds; a running append takes at most five. */
const SETTLED_AFTER_MS = 8_000;

/**
 * Makes all services reject the log, and waits until none of them is writing. If the mark is missing, they already
 * reject the log.
 */
export async function stopServices(
  { installation, kafka }: Run,
  { findings: { log, mark } }: LogInspection,
): Promise<void> {
  if (mark !== undefined && log.topics.has(installation.topics.installation))
    await markLog({ ...installation, connection: kafka }, { ...mark, isBeingReplaced: true });
  await sleep(SETTLED_AFTER_MS);
}
