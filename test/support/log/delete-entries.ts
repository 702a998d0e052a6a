import { pino } from 'pino';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import { withAdmin } from '../../../shared/kafka/describe-topics.ts';

/**
 * Deletes the first entries of these partitions (by default of all), as retention would: `share` is the part of the
 * offsets to delete, from 0 to 1. Deletes at least one entry of each partition that has any.
 */
export async function deleteEntries(
  address: KafkaAddress,
  topic: string,
  { partitions, share }: { readonly partitions?: readonly number[]; readonly share: number },
): Promise<void> {
  await withAdmin(address, pino({ level: 'silent' }), async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic);
    const deleted = ends
      .filter(({ partition }) => partitions?.includes(partition) ?? true)
      .filter(({ offset }) => offset !== '0')
      .map(({ partition, offset }) => ({
        partition,
        offset: String(Math.max(1, Math.floor(Number(offset) * share))),
      }));
    if (deleted.length > 0) await admin.deleteTopicRecords({ topic, partitions: deleted });
  });
}
