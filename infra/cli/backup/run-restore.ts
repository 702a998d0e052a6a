/**
 * Writes a backup into an installation that has no log (docs/adr/0038).
 *
 *   empty ──verify the backup, record the run, topics──▶ being written ──entries, positions, mark──▶ done
 *
 * No service uses the log before its mark is in Kafka. Until then, an interrupted run is repeated from the beginning.
 */
import { inspectInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import type { LogFindings } from '../../../shared/installation/assess-log.ts';
import { markLog } from '../../../shared/installation/inspect-log.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { findOtherReadModels } from '../other-read-models.ts';
import { countProgress } from '../progress.ts';
import { clearTopics, topicsWithEntries } from '../rebuild-log/clear-topics.ts';
import { commitDelivered, commitQueue } from '../rebuild-log/dispatcher-positions.ts';
import {
  dropWork,
  findUnfinishedRun,
  type Run,
  recordRun,
  withRun,
} from '../rebuild-log/work-schema.ts';
import { requireKey } from '../with-kafka-for-marks.ts';
import type { FileList } from './backed-up-files.ts';
import { type Backup, keyCheckOf } from './backup-file.ts';
import type { FoundEntries } from './chunks.ts';
import { requireStoreFor, restoreFiles } from './restore-files.ts';
import { type RestoredWebhooks, type RestoreSource, restoreLog } from './restore-log.ts';

export interface RestoreRequest extends RestoreSource {
  /** The verified entries, by topic. */
  readonly found: ReadonlyMap<string, FoundEntries>;
  /** The files that the backup names, verified. */
  readonly files: FileList;
}

/** Throws OperatorError if a log already exists, or the secret key differs. */
export async function runRestore(context: CommandContext, request: RestoreRequest) {
  const { installation } = context;
  const { mark } = request.backup;
  requireSameKey(installation, request.backup);
  requireStoreFor(installation, request.files);
  const restore = async (run: Run) => {
    const { client, kafka } = run;
    const { findings } = await inspectInstalledLog(installation);
    const { clusterId } = findings.log;
    await requireEmpty(run, findings, (await findUnfinishedRun(client)) === clusterId);
    await run.confirm('Write the log in this backup into the empty installation?');
    await recordRun(client, clusterId);
    await clearTopics(kafka, installation);
    // Bytes before the records that name them, as always.
    const files = await restoreFiles(run, request);
    const webhooks = await writeLog(run, request);
    const known = { ...mark, generation: mark.generation + 1, beginnings: {}, suspects: [] };
    const { generation } = await markLog({ connection: kafka, ...installation }, known);
    await dropWork(client);
    return { generation, webhooks, files };
  };
  return withRun(context, restore, mark);
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

async function requireEmpty(
  { installation, client, kafka }: Run,
  { mark, foreignMark, database }: LogFindings,
  isUnfinished: boolean,
): Promise<void> {
  const hasLive =
    database !== undefined && (database.mark !== undefined || database.positions.length > 0);
  if (hasLive || (await findOtherReadModels(client)).length > 0) {
    throw new OperatorError(
      'Postgres contains the tables of a log: restore into an installation with an empty database. Nothing was changed.',
    );
  }
  if (isUnfinished && mark !== undefined) {
    // A run that was killed after writing the mark has already restored everything up to its time limit.
    await dropWork(client);
    throw new OperatorError(
      `A previous run has already restored the whole log, as generation ${mark.generation}, so nothing was changed. Start Annals.`,
    );
  }
  const taken = isUnfinished ? [] : await topicsWithEntries(kafka, installation);
  if (mark === undefined && foreignMark === undefined && taken.length === 0) return;
  throw new OperatorError(
    `Kafka already contains a log (${taken.join(', ')}): restore into an empty one. Nothing was changed.`,
  );
}

async function writeLog(run: Run, request: RestoreRequest): Promise<RestoredWebhooks> {
  const { installation, kafka, progress } = run;
  const { topics, log } = installation;
  const { backup, found } = request;
  const recordPartitions = backup.partitions.filter(({ topic }) => topic === 'records').length;
  await ensureTopics(installation.kafka, topics, { recordPartitions }, log);
  const total = ['files', 'directory', 'records'].reduce(
    (sum, topic) => sum + (found.get(topic)?.entries ?? 0),
    0,
  );
  const { records, webhooks } = await countProgress(progress('Restoring'), total, (add) =>
    restoreLog(run, request, add),
  );
  await commitQueue(installation, records);
  const batches = await readEnds(kafka, topics.webhookBatches, recordPartitions);
  await commitDelivered(installation, batches);
  return webhooks;
}
