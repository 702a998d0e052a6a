import { fileSchema } from '../../../shared/db/tables/file-tables.ts';
import { liveRead } from '../../../shared/kafka/read-partitions.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import {
  runSecondaryProjection,
  type SecondaryDeps,
  type SecondaryProjection,
} from '../secondary/run-secondary-projection.ts';
import { ensureFileTables, requireFileTables } from './file-tables.ts';
import { storeChunks } from './store-chunks.ts';

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
    schema: fileSchema,
    topics: [topic],
    read: liveRead,
    ensureTables: ensureFileTables,
    async store(client, read) {
      storedBytes += await storeChunks(client, read, deps.log);
    },
    // Days may pass without an upload. Without this check missing tables would stay missing until the next one.
    async afterRead(client) {
      if (Date.now() - inspectedAt < INSPECT_EVERY_MS) return;
      inspectedAt = Date.now();
      await requireFileTables(client);
    },
  });
}
