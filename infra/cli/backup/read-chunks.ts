import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupEntry } from '../../../shared/events/backup-entry-codec.ts';
import { type BackedUpPartition, type Backup, chainHash, damaged } from './backup-file.ts';
import { unpackFrames } from './entry-frames.ts';

/**
 * Yields the entries of a partition up to a time, in the order of the log, one chunk at a time. Everything after the
 * first later entry is left out, so that the rest is a state that the log had. Throws OperatorError for a damaged
 * chunk.
 */
export async function* readChunks(
  directory: string,
  { chunks }: BackedUpPartition,
  until?: number,
): AsyncGenerator<readonly BackupEntry[]> {
  let before = '';
  for (const { file, sha256 } of chunks) {
    const packed = await readFile(join(directory, file));
    if (chainHash(before, packed) !== sha256) throw damaged(directory, file);
    before = sha256;
    const entries = await unpackFrames(packed);
    const kept = upTo(entries, until);
    yield kept;
    if (kept.length < entries.length) return;
  }
}

export interface FoundEntries {
  readonly entries: number;
  /** The time of the last entry, in milliseconds since 1970; 0 if none exists. */
  readonly lastAt: number;
}

/**
 * Reads and verifies all chunks before anything is written, and counts the entries that a restore would write for
 * each topic.
 */
export async function verifyBackup(
  directory: string,
  { partitions }: Backup,
  { until, onProgress }: { until: number | undefined; onProgress: (entries: number) => void },
): Promise<ReadonlyMap<string, FoundEntries>> {
  const found = new Map<string, FoundEntries>();
  for (const each of partitions) {
    let isOver = false;
    for await (const all of readChunks(directory, each)) {
      onProgress(all.length);
      const kept: readonly BackupEntry[] = isOver ? [] : upTo(all, until);
      isOver ||= kept.length < all.length;
      const { entries = 0, lastAt = 0 } = found.get(each.topic) ?? {};
      found.set(each.topic, {
        entries: entries + kept.length,
        lastAt: kept.reduce((last, { timestamp }) => Math.max(last, timestamp), lastAt),
      });
    }
  }
  return found;
}

function upTo(entries: readonly BackupEntry[], until: number | undefined): readonly BackupEntry[] {
  const end = until === undefined ? -1 : entries.findIndex(({ timestamp }) => timestamp > until);
  return end === -1 ? entries : entries.slice(0, end);
}
