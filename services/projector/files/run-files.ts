import type { Client } from 'pg';
import type { Logger } from 'pino';
import { fileSchema } from '../../../shared/db/tables/file-tables.ts';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { decodeFileChunk, type FileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { decodeProven } from '../../../shared/events/later-version.ts';
import {
  liveRead,
  type ReadMessage,
  type ReadPartition,
} from '../../../shared/kafka/read-partitions.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import {
  runSecondaryProjection,
  type SecondaryDeps,
  type SecondaryProjection,
} from '../secondary/run-secondary-projection.ts';

interface FilesDeps extends SecondaryDeps {
  readonly topic: string;
  readonly metrics: Metrics;
}

const INSPECT_EVERY_MS = 5_000;

/** Keeps the contents of files in Postgres, for ever. */
export function runFiles({ topic, metrics, ...deps }: FilesDeps): SecondaryProjection {
  let storedBytes = 0;
  let inspectedAt = 0;
  metrics.read('annals_projector_file_bytes_total', () => storedBytes);
  return runSecondaryProjection(deps, {
    what: 'files',
    topics: [topic],
    read: liveRead,
    ...fileTables,
    async store(client, read) {
      storedBytes += await storeChunks(client, read, deps.log);
    },
    // Days may pass without an upload. Without this check missing tables would stay missing until the next one.
    async afterRead(client) {
      if (Date.now() - inspectedAt < INSPECT_EVERY_MS) return;
      inspectedAt = Date.now();
      // Throws if a table is missing.
      await client.query(`select from ${fileSchema}.chunks, ${fileSchema}.positions limit 0`);
    },
  });
}

/** Stores chunks one by one: each is large and sent as it is. Returns the number of bytes. */
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
    // The same bytes are the same chunk, or a shorter one if another version cut the file differently.
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

/**
 * The tables of file contents, in a schema of their own that a rebuild of the read model leaves alone, because
 * nothing about these bytes is decided anew. If it is dropped, the projector fills it again from the topic. They are not
 * compressed: most files already are, and the length of a chunk can be known without reading it.
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
      -- Of a table that is gone nothing is left that was read before.
      delete from ${fileSchema}.positions;
    end if;
  end $$;
`,
};
