import { loadPositions } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/read-model-names.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset } from '../../../shared/kafka/read-partitions.ts';
import type { CommandContext } from '../command-context.ts';

interface PartitionStatus {
  readonly topic: string;
  readonly partition: number;
  readonly end: number;
  readonly projected: number;
  /** Entries that Postgres does not have yet. */
  readonly behind: number;
}

interface RejectedEntries {
  readonly topic: string;
  readonly partition: number;
  readonly reason: string;
  readonly entries: number;
  readonly lastOffset: number;
}

/** `annals status`: how far Postgres is behind the log, and what no table took. */
export async function status({ installation, isJson, output }: CommandContext): Promise<number> {
  const { kafka, log, connect } = installation;
  const connection = createKafkaConnection(kafka, log);
  const client = await connect();
  try {
    const partitions: PartitionStatus[] = [];
    for (const { topic, partition, offset } of await loadPositions(client)) {
      const end = Number(await endOffset(connection, topic, partition));
      const projected = Number(offset);
      partitions.push({ topic, partition, end, projected, behind: end - projected });
    }
    const { rows: rejected } = await client.query<RejectedEntries>(
      `select topic, partition, reason, count(*)::int as entries, max(log_offset)::float8 as "lastOffset"
       from ${liveSchema}.rejected_entries group by 1, 2, 3 order by 1, 2, 3`,
    );
    if (isJson) output.print(JSON.stringify({ partitions, rejected }));
    else for (const line of toLines(partitions, rejected)) output.print(line);
    return 0;
  } finally {
    await client.end();
    await connection.close();
  }
}

function toLines(
  partitions: readonly PartitionStatus[],
  rejected: readonly RejectedEntries[],
): readonly string[] {
  const names = partitions.map(({ topic, partition }) => `${topic}/${partition}`);
  const width = Math.max(...names.map(({ length }) => length), 'partition'.length);
  const row = (...cells: readonly (string | number)[]): string =>
    cells
      .map((cell, index) => (index === 0 ? `${cell}`.padEnd(width) : `${cell}`.padStart(12)))
      .join('');
  const parked = rejected.map(
    ({ topic, partition, reason, entries, lastOffset }) =>
      `  ${topic}/${partition}: ${entries} × ${reason}, last at offset ${lastOffset}`,
  );
  return [
    row('partition', 'end', 'projected', 'behind'),
    ...partitions.map(({ end, projected, behind }, index) =>
      row(names[index] ?? '', end, projected, behind),
    ),
    parked.length === 0 ? 'No entry of the log was rejected.' : 'Entries that no table took:',
    ...parked,
  ];
}
