import type { Observed, ObservedLog } from '../../../shared/installation/observed.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import {
  hasMore,
  liveRead,
  type PartitionPosition,
  readPartitions,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';
import { checkInstalledLog } from '../installation/inspect-installed-log.ts';
import { asCause, type Finding, findingsAbout, toSentence } from './finding.ts';

const { ok, warning, fault } = findingsAbout('log');

/** Checks that the log belongs to this installation, and that foreign entries are rejected. */
export async function checkLog(installation: Observed): Promise<Finding> {
  const verdict = await checkInstalledLog(installation);
  if (verdict.kind === 'refused')
    return asCause(
      fault({
        code: 'log.refused',
        says: `The log is refused: ${toSentence(verdict.says)}`,
        remedy: verdict.remedy,
        parameters: { reason: verdict.says },
      }),
    );
  if (verdict.kind !== 'known')
    return warning({
      code: 'log.unmarked',
      says: 'The log has no mark yet.',
      remedy: 'start an api or a projector, which marks it',
    });
  const { installationId, generation, sealed } = verdict.mark;
  if (sealed) {
    const says = `The log belongs to installation ${installationId}, generation ${generation}.`;
    return ok({ code: 'log.known', says, parameters: { installationId, generation } });
  }
  return warning({
    code: 'log.unsealed',
    says: 'The log accepts entries without an authentication code, as earlier versions write them.',
    remedy: 'once no process of an earlier version is running, run annals topics seal',
  });
}

/** A large log takes longer to read; `annals verify` reads all of it. */
const WITHIN_MS = 3_000;

/** Reads the log from its beginning for a few seconds, and verifies the checksums of its batches. */
export async function checkBatches({
  kafka: { codes: _, ...kafka },
  topics,
  log,
}: ObservedLog): Promise<readonly Finding[]> {
  const connection = createKafkaConnection(kafka, log);
  const until = Date.now() + WITHIN_MS;
  const findings: Finding[] = [];
  try {
    for (const topic of [topics.directory, topics.records, topics.files]) {
      const partitions = await connection.partitionsOf(topic);
      for (let partition = 0; partition < partitions; partition += 1) {
        const offset = await startOffset(connection, topic, partition);
        const damage = await findDamage(connection, { topic, partition, offset }, until);
        if (damage?.remedy === undefined) continue;
        findings.push(
          fault({
            code: 'log.damaged',
            says: `The log is ${toSentence(damage.message)}`,
            remedy: damage.remedy,
            parameters: { reason: damage.message },
          }),
        );
      }
    }
  } finally {
    await connection.close();
  }
  if (findings.length > 0) return findings;
  const isPart = Date.now() > until;
  return [
    isPart
      ? ok({
          code: 'log.partlyUndamaged',
          says: 'The log is undamaged on disk as far as it was read; annals verify reads all of it.',
        })
      : ok({ code: 'log.undamaged', says: 'The log is undamaged on disk.' }),
  ];
}

/** Returns the first damage in the partition, even if another replica has an undamaged copy of the batch. */
async function findDamage(
  connection: KafkaConnection,
  from: PartitionPosition,
  until: number,
): Promise<BatchDamaged | undefined> {
  let position = from;
  try {
    while (Date.now() <= until) {
      const [found] = await readPartitions(connection, [position], { ...liveRead, maxWaitMs: 1 });
      if (found?.damage !== undefined) return found.damage;
      if (found === undefined || !hasMore(found)) return undefined;
      position = { ...position, offset: found.nextOffset };
    }
    return undefined;
  } catch (error) {
    if (error instanceof BatchDamaged) return error;
    throw error;
  }
}
