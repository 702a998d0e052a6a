import type { Client } from 'pg';
import { fileSchema } from '../../../shared/db/tables/read-model-names.ts';
import { encodeFileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { createAppendCoded } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';

/** Writes the bytes of every file in Postgres, one piece at a time. Returns the number of pieces. */
export async function writeFiles(
  { client, kafka }: { readonly client: Client; readonly kafka: KafkaConnection },
  topic: string,
): Promise<number> {
  const append = createAppendCoded(kafka);
  const partitions = await kafka.partitionsOf(topic);
  const { rows: files } = await client.query<{ sha256: string; size: string }>(
    `select sha256, max(start + octet_length(content)) as size from ${fileSchema}.chunks group by sha256`,
  );
  let pieces = 0;
  for (const { sha256, size } of files) {
    const { rows: starts } = await client.query<{ start: string }>(
      `select start from ${fileSchema}.chunks where sha256 = $1 order by start`,
      [sha256],
    );
    for (const { start } of starts) {
      const { rows } = await client.query<{ content: Buffer }>(
        `select content from ${fileSchema}.chunks where sha256 = $1 and start = $2`,
        [sha256, start],
      );
      for (const { content } of rows) {
        const chunk = { sha256, size: Number(size), start: Number(start), content };
        const value = encodeFileChunk(chunk);
        await append(topic, partitionOf(sha256, partitions), [{ key: sha256, value }]);
        pieces += 1;
      }
    }
  }
  return pieces;
}
