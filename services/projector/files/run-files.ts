import type { Client } from 'pg';
import type { Logger } from 'pino';
import { fileSchema } from '../../../shared/db/tables/read-model-names.ts';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { decodeFileChunk, type FileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { decodeProven } from '../../../shared/events/later-version.ts';
import { uploadClaims } from '../../../shared/files/upload-claims.ts';
import {
  liveRead,
  type ReadMessage,
  type ReadPartition,
} from '../../../shared/kafka/read-partitions.ts';
import type { BaseContext } from '../context.ts';
import {
  runSecondaryProjection,
  type SecondaryProjection,
} from '../secondary/run-secondary-projection.ts';

const INSPECT_EVERY_MS = 5_000;

/** Stores the contents of files in Postgres permanently. */
export function runFiles(context: BaseContext): SecondaryProjection {
  let storedBytes = 0;
  let inspectedAt = 0;
  context.metrics.read('annals_projector_file_bytes_total', () => storedBytes);
  return runSecondaryProjection(context, {
    what: 'files',
    topics: [context.config.topics.files],
    read: liveRead,
    ...fileTables,
    async store(client, read) {
      storedBytes += await storeChunks(client, read, context.log);
    },
    // Otherwise, missing tables would be noticed only at the next upload, which may be days away.
    async afterRead(client) {
      if (Date.now() - inspectedAt < INSPECT_EVERY_MS) return;
      inspectedAt = Date.now();
      // Throws if a table is missing.
      await client.query(`select from ${fileSchema}.chunks, ${fileSchema}.positions limit 0`);
    },
  });
}

/** Stores chunks one at a time, because they are large. Returns the number of bytes. */
async function storeChunks(
  client: Client,
  read: readonly ReadPartition[],
  log: Logger,
): Promise<number> {
  let bytes = 0;
  for (const message of read.flatMap(({ messages }) => messages)) {
    const chunk = readChunk(message, log);
    if (chunk === undefined) continue;
    bytes += chunk.content.length;
    // If this chunk exists, it has the same bytes, or fewer if another version divided the file differently.
    await client.query({
      name: 'store-chunk',
      text: `insert into ${fileSchema}.chunks as known (sha256, start, content) values ($1, $2, $3)
             on conflict (sha256, start) do update set content = excluded.content
             where octet_length(excluded.content) > octet_length(known.content)`,
      values: [chunk.sha256, chunk.start, chunk.content],
    });
  }
  return bytes;
}

/** Returns undefined for an unreadable chunk. Downloads of its file are then rejected with 503. */
function readChunk(message: ReadMessage, log: Logger): FileChunk | undefined {
  try {
    return decodeProven(message, decodeFileChunk);
  } catch (err) {
    if (!(err instanceof UnreadableMessage)) throw err;
    log.error({ err, offset: String(message.offset) }, 'skipped an unreadable chunk of a file');
    return undefined;
  }
}

/**
 * The tables of file contents, in a separate schema that a rebuild of the read model does not change, because these
 * bytes do not depend on any rule. If the schema is dropped, the projector fills it again from the topic. Chunks are
 * not compressed: most files already are, and the length of an uncompressed chunk can be determined without reading it.
 */
const fileTables = {
  schema: fileSchema,
  tables: `
  do $$ begin
    if to_regclass('${fileSchema}.chunks') is null then
      create table ${fileSchema}.chunks (
        sha256 text not null,
        start bigint not null,
        content bytea not null,
        primary key (sha256, start)
      );
      alter table ${fileSchema}.chunks alter column content set storage external;
      -- The table is new, so everything has to be read again.
      delete from ${fileSchema}.positions;
    end if;
  end $$;
  ${uploadClaims}
`,
};
