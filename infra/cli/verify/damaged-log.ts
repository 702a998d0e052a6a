import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import { type PartitionPosition, startOffset } from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';

const remedy =
  'Do not rebuild the tables: they still have what the log has lost. annals rebuild-log --replace writes the log again from Postgres; annals doctor says more';

/** The log lacks the entries from `from` up to the one before `next`. */
export function lackingEntries(
  { topic, partition }: PartitionPosition,
  from: bigint,
  next: bigint,
): OperatorError {
  const [entries, are] =
    next === from + 1n
      ? [`its entry ${from}`, 'is']
      : [`its entries ${from} to ${next - 1n}`, 'are'];
  return new OperatorError(
    `The log is damaged, so the tables cannot be compared with it: ${topic}/${partition} lacks ${entries}, which ${are} gone. ${remedy}.`,
  );
}

/** For an operator, if the error is a damaged batch; else the error itself. */
export function orRefusal(error: unknown): unknown {
  if (!(error instanceof BatchDamaged)) return error;
  return new OperatorError(
    `The log is ${error.message}, so the tables cannot be compared with it: ${error.remedy}.`,
  );
}

/** Throws OperatorError if the beginning of a partition is gone, as after retention. */
export async function requireBeginnings(
  kafka: KafkaConnection,
  ends: readonly PartitionPosition[],
): Promise<void> {
  for (const end of ends) {
    const start = await startOffset(kafka, end.topic, end.partition);
    if (start > 0n && end.offset > 0n) throw lackingEntries(end, 0n, start);
  }
}
