import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryGroup } from '../../../services/dispatcher/deliver/progress/load-progress.ts';
import { encodeMetadata, noRun } from '../../../services/dispatcher/window/run-metadata.ts';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { createTransactor, type PositionWithMetadata } from '../../../shared/kafka/transactor.ts';
import type { Installation } from '../installation.ts';
import { queueGroup } from './kept-queue.ts';

/** A position with metadata, or a projected position from which the metadata are derived. */
export type QueuedPosition = ProjectedPosition | Required<PositionWithMetadata>;

interface Positions {
  /** Positions in the records: everything before them counts as matched. */
  readonly records: readonly QueuedPosition[];
  /** Positions in the batches: everything before them counts as delivered. */
  readonly batches: readonly PartitionPosition[];
}

/** Commits where the dispatcher continues, so that it neither matches nor sends anything again. */
export async function commitPositions(
  installation: Installation,
  { records, batches }: Positions,
): Promise<void> {
  await commitQueue(installation, records);
  await commit(installation, deliveryGroup(installation.topicPrefix), batches);
}

export async function commitQueue(
  installation: Installation,
  records: readonly QueuedPosition[],
): Promise<void> {
  const queue = records.map((position) => ({
    metadata: 'metadata' in position ? position.metadata : encodeMetadata(position, noRun),
    ...position,
  }));
  await commit(installation, queueGroup(installation), queue);
}

const COMMIT_WITHIN_MS = 60_000;
const RETRY_AFTER_MS = 500;

/** Retries, because the coordinators of a new cluster need a moment to start. */
async function commit(
  { kafka, topicPrefix, log }: Installation,
  positionsGroup: string,
  positions: readonly PositionWithMetadata[],
): Promise<void> {
  const deadline = Date.now() + COMMIT_WITHIN_MS;
  const options = { transactionalId: `${topicPrefix}.rebuild-log`, positionsGroup };
  const transactor = createTransactor(kafka, options, log);
  try {
    for (;;) {
      try {
        return await transactor.commit([], positions);
      } catch (error) {
        if (!(error instanceof Unavailable) || Date.now() > deadline) throw error;
        await sleep(RETRY_AFTER_MS);
      }
    }
  } finally {
    await transactor.close();
  }
}
