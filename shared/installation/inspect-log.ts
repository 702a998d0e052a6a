import type { Client } from 'pg';
import type { ProjectedPosition } from '../db/positions.ts';
import type { KafkaConnection } from '../kafka/connection.ts';
import { type FoundLog, readCluster } from '../kafka/read-cluster.ts';
import { endOffset } from '../kafka/read-partitions.ts';
import { firstTopics, type TopicNames, wantedTopics } from '../kafka/topics.ts';
import { assessLog, type LogFindings, type LogVerdict, type PositionInLog } from './assess-log.ts';
import { findFormerWriters } from './find-former-writers.ts';
import { findLogDamage } from './find-log-damage.ts';
import { readMarkedDatabase } from './mark-table.ts';
import { type FoundMarks, readMarks } from './mark-topic.ts';

export interface LogInspection {
  readonly findings: LogFindings;
  readonly verdict: LogVerdict;
}

/** Inspects Kafka, and Postgres if a connection is given, and evaluates the findings. Throws Unavailable. */
export async function inspectLog(
  connection: KafkaConnection,
  topics: TopicNames,
  client: Client | undefined,
): Promise<LogInspection> {
  const log = await readLog(connection, topics);
  const marks: Partial<FoundMarks> = log.topics.has(topics.installation)
    ? await readMarks(connection, topics.installation)
    : {};
  const stored = client === undefined ? undefined : await readMarkedDatabase(client);
  const positions = await withEnds(connection, log, stored?.positions ?? []);
  const mark = marks.mark ?? stored?.mark;
  const damage = await findLogDamage(connection, { log, topics, mark });
  const isSealed = damage === undefined && marks.mark?.sealed === true;
  const formerWriters =
    isSealed && client !== undefined ? await findFormerWriters(connection, client, positions) : [];
  const findings: LogFindings = {
    log,
    wanted: wantedNames(topics),
    essential: firstTopics(topics),
    mark: marks.mark,
    foreignMark: marks.foreign,
    damage,
    database: stored && { mark: stored.mark, positions, formerWriters },
  };
  return { findings, verdict: assessLog(findings) };
}

/** Throws Unavailable. */
export function readLog(connection: KafkaConnection, topics: TopicNames): Promise<FoundLog> {
  return readCluster(connection, wantedNames(topics));
}

function wantedNames(topics: TopicNames): readonly string[] {
  return wantedTopics(topics, { recordPartitions: 1 }, 1).map(({ topic }) => topic);
}

async function withEnds(
  connection: KafkaConnection,
  log: FoundLog,
  positions: readonly ProjectedPosition[],
): Promise<readonly (ProjectedPosition & PositionInLog)[]> {
  return Promise.all(
    positions.map(async (position) => {
      const { topic, partition } = position;
      const isThere = partition < (log.topics.get(topic)?.partitions ?? 0);
      const end = isThere ? await endOffset(connection, topic, partition) : undefined;
      return { ...position, end };
    }),
  );
}
