/**
 * Writes a backup into an installation that has no log (docs/adr/0038).
 *
 *   empty ──verify the backup, record the run, topics──▶ being written ──entries, positions, mark──▶ done
 *
 * No service uses the log before its mark is in Kafka. A run that ends before that is repeated from the beginning.
 */
import type { ClientBase } from 'pg';
import { lookAtInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { markLog } from '../../../shared/installation/inspect-log.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { AloneContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { findOtherReadModels } from '../other-read-models.ts';
import { countDone } from '../progress.ts';
import { clearTopics, topicsWithEntries } from '../rebuild-log/clear-topics.ts';
import { commitPositions } from '../rebuild-log/commit-positions.ts';
import { dropWork, findUnfinishedRun, lockRun, recordRun } from '../rebuild-log/work-schema.ts';
import { requireKey, withKafkaForMarks } from '../with-kafka-for-marks.ts';
import { type Backup, keyCheckOf } from './backup-file.ts';
import type { FoundEntries } from './read-chunks.ts';
import { type RestoreSource, restoreLog } from './restore-log.ts';
import type { RestoredWebhooks } from './restore-webhooks.ts';

export interface RestoreRequest extends RestoreSource, Pick<AloneContext, 'confirm' | 'progress'> {
  /** The verified entries, by topic. */
  readonly found: ReadonlyMap<string, FoundEntries>;
}

/** Throws OperatorError if there already is a log, or the secret key differs. */
export async function runRestore(installation: Installation, request: RestoreRequest) {
  const { mark } = request.backup;
  requireSameKey(installation, request.backup);
  return withKafkaForMarks({ ...installation, mark }, (kafka) =>
    withConnection(installation.connect, async (client) => {
      await lockRun(client);
      const { findings } = await lookAtInstalledLog(installation);
      const isUnfinished = (await findUnfinishedRun(client)) === findings.log.clusterId;
      const run = { installation, client, kafka };
      await requireEmpty(run, isUnfinished);
      await request.confirm('Write the log of this backup into the empty installation?');
      await recordRun(client, findings.log.clusterId);
      await clearTopics(kafka, installation);
      const webhooks = await writeLog(run, request);
      const known = { ...mark, generation: mark.generation + 1, beginnings: {}, suspects: [] };
      const { generation } = await markLog({ connection: kafka, ...installation }, known);
      await dropWork(client);
      return { generation, webhooks };
    }),
  );
}

interface Run {
  readonly installation: Installation;
  readonly client: ClientBase;
  readonly kafka: KafkaConnection;
}

function requireSameKey(installation: Installation, backup: Backup): void {
  if (installation.topicPrefix !== backup.topicPrefix) {
    throw new OperatorError(
      `The topics in the backup have the prefix ${backup.topicPrefix}: set ANNALS_TOPIC_PREFIX to it.`,
    );
  }
  if (keyCheckOf(requireKey(installation), backup.mark) === backup.keyCheck) return;
  throw new OperatorError(
    'The secret key differs from the key of the backup: use the secret.key that was stored with the backup.',
  );
}

/** A run that was killed after writing the mark had restored everything up to its time limit. */
async function endRun(client: ClientBase, { generation }: Mark): Promise<never> {
  await dropWork(client);
  throw new OperatorError(
    `The previous run has restored the log completely, as generation ${generation}: start Annals. Nothing was changed.`,
  );
}

async function requireEmpty(
  { installation, client, kafka }: Run,
  isUnfinished: boolean,
): Promise<void> {
  const { findings } = await lookAtInstalledLog(installation);
  const { mark, foreignMark, database } = findings;
  const hasLive =
    database !== undefined && (database.mark !== undefined || database.positions.length > 0);
  if (hasLive || (await findOtherReadModels(client)).length > 0) {
    throw new OperatorError(
      'Postgres contains the tables of a log: restore into an installation with an empty database. Nothing was changed.',
    );
  }
  if (isUnfinished && mark !== undefined) await endRun(client, mark);
  const taken = isUnfinished ? [] : await topicsWithEntries(kafka, installation);
  const isMarked = mark !== undefined || foreignMark !== undefined;
  if (!isMarked && taken.length === 0) return;
  throw new OperatorError(
    `Kafka already contains a log (${taken.join(', ')}): restore into an empty one. Nothing was changed.`,
  );
}

async function writeLog(
  { installation, kafka }: Run,
  { found, progress, ...source }: RestoreRequest,
): Promise<RestoredWebhooks> {
  const { topics, log } = installation;
  const recordPartitions = source.backup.partitions.filter(
    ({ topic }) => topic === 'records',
  ).length;
  await ensureTopics(installation.kafka, topics, { recordPartitions }, log);
  const shown = progress('Restoring');
  const total = ['files', 'directory', 'records'].reduce(
    (sum, topic) => sum + (found.get(topic)?.entries ?? 0),
    0,
  );
  const onProgress = countDone(shown, total);
  const { records, webhooks } = await restoreLog({ ...source, kafka, topics, onProgress });
  shown.finish();
  const batches = await readEnds(kafka, topics.webhookBatches, recordPartitions);
  await commitPositions(installation, { records, batches });
  return webhooks;
}
