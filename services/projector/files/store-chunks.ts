import type { Client } from 'pg';
import type { Logger } from 'pino';
import { fileSchema } from '../../../shared/db/tables/file-tables.ts';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { decodeFileChunk, type FileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { decodeProven } from '../../../shared/events/later-version.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import type { FoundPartition } from '../secondary/positions.ts';

/** Stores chunks one by one: each is large and sent as it is. Returns the number of bytes. */
export async function storeChunks(
  client: Client,
  read: readonly FoundPartition[],
  log: Logger,
): Promise<number> {
  let bytes = 0;
  for (const { found } of read) {
    for (const message of found.messages) {
      const chunk = readChunk(message, log);
      if (chunk === undefined) continue;
      bytes += chunk.content.length;
      // The same bytes are the same chunk, or a shorter one if another version cut the file differently.
      await client.query({
        name: 'store-chunk',
        text: `insert into ${fileSchema}.chunks as known (sha256, start, content) values ($1, $2, $3)
               on conflict (sha256, start) do update set content = excluded.content
               where octet_length(excluded.content) > octet_length(known.content)`,
        values: [chunk.sha256, chunk.start, chunk.content],
      });
    }
  }
  return bytes;
}

/** Undefined for an unreadable chunk: downloads of its file are then answered as unavailable. */
function readChunk(message: ReadMessage, log: Logger): FileChunk | undefined {
  try {
    return decodeProven(message, decodeFileChunk);
  } catch (err) {
    if (!(err instanceof UnreadableMessage)) throw err;
    log.error({ err, offset: String(message.offset) }, 'unreadable piece of a file skipped');
    return undefined;
  }
}
