/**
 * Deletes files in the store that neither the log nor a backup names (docs/adr/0062). An upload stores its bytes before
 * its record, so a file is only deleted some days after its last upload, and never while an upload has claimed it.
 */
import type { Client } from 'pg';
import { checkInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { tryLock } from '../../../shared/db/try-lock.ts';
import type { ExternalStore } from '../../../shared/files/file-store.ts';
import { requireOwner } from '../../../shared/files/owned-store.ts';
import { deleteUnclaimed, forgetClaims } from '../../../shared/files/upload-claims.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { addNamedFile, type FileList } from '../backup/backed-up-files.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { readUpTo } from '../partition-entries.ts';
import { countProgress } from '../progress.ts';
import { withLogOf } from '../rebuild-log/damaged-log.ts';
import { lockRun } from '../rebuild-log/work-schema.ts';
import { readHeldBackups } from './held-backups.ts';
import { withStore } from './with-store.ts';

export interface CollectedFiles {
  readonly store: string;
  /** Files that were deleted or, in a dry run, would be. */
  readonly unused: number;
  readonly bytes: number;
  /** Files that the log or a backup names. */
  readonly used: number;
  /** Unused files that are too new. */
  readonly recent: number;
  readonly backups: readonly { readonly id: string; readonly description: string }[];
}

interface CollectOptions {
  /** Files that were uploaded after this time are kept. */
  readonly before: Date;
  readonly isDryRun: boolean;
}

/** An arbitrary number, identical for all runs. */
const COLLECT_LOCK = 0x616e6e67;

/** Throws OperatorError for a damaged log, or without a store. */
export async function collectFiles(
  context: CommandContext,
  options: CollectOptions,
): Promise<CollectedFiles> {
  const { installation } = context;
  await requireWholeLog(installation);
  return withStore(installation, (store) =>
    withConnection(installation.connect, async (client) => {
      const isOurs = await tryLock(client, COLLECT_LOCK);
      if (!isOurs) throw new OperatorError('Another collection is running.');
      // A log that is being rewritten does not name all files yet.
      await lockRun(client);
      await requireOwner(store, client);
      const backups = await readHeldBackups(store);
      const held = new Set(backups.flatMap(({ hashes }) => hashes));
      const named = (await findNamedHashes(context)).union(held);
      const counts = await deleteUnused(client, { store, named, ...options });
      if (!options.isDryRun) {
        await store.deleteRemains(options.before.getTime());
        await forgetClaims(client, options.before);
      }
      const listed = backups.map(({ id, description }) => ({ id, description }));
      return { store: store.name, ...counts, backups: listed };
    }),
  );
}

/** Reads the whole log, because the tables may lack quarantined records. Includes entries that do not count. */
async function findNamedHashes(context: CommandContext): Promise<Set<string>> {
  const { topics } = context.installation;
  return withLogOf(context, async (kafka) => {
    const ends = await readEnds(kafka, topics.records);
    const total = ends.reduce((sum, { offset }) => sum + Number(offset), 0);
    const named: FileList = new Map();
    await countProgress(context.progress('Reading the log'), total, async (add) => {
      for (const end of ends) await addNamedUpTo(kafka, { end, named, add });
    });
    return new Set(named.keys());
  });
}

/** Adds the files that a partition names. Throws OperatorError if it cannot be read up to its end. */
async function addNamedUpTo(
  kafka: KafkaConnection,
  {
    end,
    named,
    add,
  }: {
    readonly end: PartitionPosition;
    readonly named: FileList;
    readonly add: (entries: number) => void;
  },
): Promise<void> {
  let readTo = 0n;
  for await (const { messages, nextOffset } of readUpTo(kafka, end)) {
    for (const message of messages) addNamedFile(named, message);
    add(messages.length);
    readTo = nextOffset;
  }
  if (readTo < end.offset) throw incomplete(end, readTo);
}

/** Throws OperatorError unless this is the whole log of the installation: another log names other files. */
async function requireWholeLog(installation: Installation): Promise<void> {
  const verdict = await checkInstalledLog(installation);
  if (verdict.kind === 'known') return;
  const reason = verdict.kind === 'refused' ? verdict.says : 'the log belongs to no installation';
  throw new OperatorError(`Nothing was deleted, because ${reason}. Run annals doctor.`);
}

function incomplete(
  { topic, partition, offset }: PartitionPosition,
  readTo: bigint,
): OperatorError {
  return new OperatorError(
    `Nothing was deleted, because ${topic}/${partition} could be read only to offset ${readTo} of ${offset}. Run the command again.`,
  );
}

async function deleteUnused(
  client: Client,
  {
    store,
    named,
    before,
    isDryRun,
  }: CollectOptions & { readonly store: ExternalStore; readonly named: ReadonlySet<string> },
) {
  const counts = { unused: 0, bytes: 0, used: 0, recent: 0 };
  for await (const { sha256, size, storedAt = Date.now() } of store.list()) {
    if (named.has(sha256)) counts.used += 1;
    else if (storedAt >= before.getTime()) counts.recent += 1;
    else if (
      isDryRun ||
      (await deleteUnclaimed(client, { sha256, before }, () => store.delete(sha256)))
    ) {
      counts.unused += 1;
      counts.bytes += size;
    } else counts.recent += 1;
  }
  return counts;
}
