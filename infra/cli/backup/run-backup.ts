/**
 * Copies the log while it is being written (docs/adr/0038). The ends of all partitions are read first. A topic with
 * references is read before the topics that it refers to, so that the backup has no dangling references.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspectInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { StorageLow, Unavailable } from '../../../shared/domain/errors.ts';
import type { ExternalStore } from '../../../shared/files/file-store.ts';
import { findStoreOwner, hasFilesOutsideTheLog } from '../../../shared/files/owned-store.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { makeDirectory } from '../../local/data-directory/open-data-directory.ts';
import { isOutOfSpace, OperatorError } from '../../local/operator-error.ts';
import { tryLockFile } from '../../local/processes/file-lock.ts';
import type { CommandContext } from '../command-context.ts';
import { holdBackup, releaseBackup } from '../files/held-backups.ts';
import { withStoreIfSet } from '../files/with-store.ts';
import type { Installation } from '../installation.ts';
import { countProgress } from '../progress.ts';
import { withLogOf } from '../rebuild-log/damaged-log.ts';
import { requireKey } from '../with-kafka-for-marks.ts';
import {
  addNamedFile,
  backUpFiles,
  bytesFolder,
  type FileList,
  isFileList,
  readFileList,
  writeFileList,
} from './backed-up-files.ts';
import {
  type BackedUpPartition,
  type BackedUpTopic,
  type Backup,
  keyCheckOf,
  readBackup,
  requireChunks,
  requireLastChunks,
  writeBackup,
} from './backup-file.ts';
import { type ForeignEntries, readChunks, writeChunks } from './chunks.ts';

/** In the order in which their ends are read. */
const backedUpTopics: readonly BackedUpTopic[] = [
  'webhookReplays',
  'webhookSequences',
  'webhookDeadLetters',
  'webhookAttempts',
  'webhookBatches',
  'records',
  'files',
  'directory',
];
const truth = new Set<BackedUpTopic>(['records', 'files', 'directory']);

/** Throws OperatorError if the log does not belong to the installation, or the directory contains another backup. */
export async function runBackup(
  context: CommandContext,
  directory: string,
  { withBytes = true }: { readonly withBytes?: boolean } = {},
) {
  const { installation } = context;
  const mark = await requireMark(installation);
  const keyCheck = keyCheckOf(requireKey(installation), mark);
  makeDirectory(directory, 0o700);
  const lock = tryLockFile(join(directory, 'lock'));
  if (lock === undefined) throw new OperatorError(`Another backup into ${directory} is running.`);
  try {
    const before = findBefore(directory, mark);
    const takenAt = new Date().toISOString();
    const foreign = { entries: 0, places: [] };
    const { topicPrefix } = installation;
    const header = { takenAt, topicPrefix, mark, keyCheck };
    const { partitions, files } = await withStoreIfSet<CopiedLog>(installation, async (store) =>
      store === undefined
        ? backUpLog(context, { directory, before, foreign, header })
        : backUpWithFiles(context, { directory, before, foreign, header, store, withBytes }),
    );
    const [now, then] = [sum(partitions), sum(before?.partitions ?? [])];
    return {
      takenAt,
      // Since the previous backup, if there is one.
      newEntries: now.entries - then.entries,
      newBytes: now.bytes - then.bytes,
      ...now,
      isIncremental: before !== undefined,
      foreign,
      isStoreUnset: files === undefined && (await hasFilesElsewhere(installation)),
      ...(files !== undefined && { files: countPlaces(files) }),
    };
  } catch (error) {
    if (error instanceof BatchDamaged) {
      throw new OperatorError(
        `The log is ${error.message}. Nothing was added to the backup: ${error.remedy}.`,
      );
    }
    if (!isOutOfSpace(error) && !(error instanceof StorageLow)) throw error;
    throw new OperatorError(
      `The disk with ${directory} is full. The existing backup is unchanged. Free some space, and run this command again.`,
    );
  } finally {
    lock.release();
  }
}

async function requireMark(installation: Installation): Promise<Mark> {
  const { findings, verdict } = await inspectInstalledLog(installation);
  if (verdict.kind === 'refused') {
    throw new OperatorError(`Nothing was backed up. ${verdict.says}: ${verdict.remedy}.`);
  }
  if (findings.mark === undefined) {
    throw new OperatorError('The installation has no log to back up yet: start Annals first.');
  }
  return findings.mark;
}

interface Target {
  readonly directory: string;
  readonly before: Backup | undefined;
  readonly foreign: ForeignEntries;
  readonly header: Omit<Backup, 'format' | 'partitions' | 'files' | 'id'>;
}

interface CopiedLog {
  readonly partitions: readonly BackedUpPartition[];
  /** Undefined without a file store. */
  readonly files: FileList | undefined;
}

/** Backs up an installation without a file store. */
async function backUpLog(
  context: CommandContext,
  { header, ...target }: Target,
): Promise<CopiedLog> {
  const { directory, before } = target;
  if (before?.files !== undefined) {
    throw new OperatorError(
      `The backup in ${directory} has files of a file store: set FILES_STORE, and the variables that belong to it, to the values of the api.`,
    );
  }
  const partitions = await copyLog(context, target);
  flushDirectory(directory);
  writeBackup(directory, { ...header, partitions });
  return { partitions, files: undefined };
}

/** Throws OperatorError for a wrong bucket or a directory that is not mounted: their files would count as in the log. */
async function requireOwnStore(
  { installation }: CommandContext,
  store: ExternalStore,
  installationId: string,
): Promise<void> {
  const owner = await findStoreOwner(store);
  const isWrong =
    owner === undefined
      ? await withConnection(installation.connect, hasFilesOutsideTheLog)
      : owner !== installationId;
  if (!isWrong) return;
  throw new OperatorError(
    `Nothing was backed up, because ${store.name} lacks the files of this installation: correct FILES_STORE, or mount the directory.`,
  );
}

/** Backs up the log, and the files in the store that the log names. */
async function backUpWithFiles(
  context: CommandContext,
  {
    header,
    store,
    withBytes,
    ...target
  }: Target & { readonly store: ExternalStore; readonly withBytes: boolean },
): Promise<CopiedLog> {
  const { directory, before } = target;
  await requireOwnStore(context, store, header.mark.installationId);
  const named = await findNamedFiles(directory, before);
  const partitions = await copyLog(context, { ...target, named });
  await backUpFiles(directory, { store, files: named, withBytes });
  const files = writeFileList(directory, named);
  const id = before?.id ?? randomUUID();
  const needsStore = named.values().some(({ place }) => place === 'store');
  // Before the backup becomes valid, so that its files are never collected.
  const { takenAt } = header;
  if (needsStore) await holdBackup(store, { id, takenAt, directory, files: named });
  flushDirectory(directory);
  writeBackup(directory, { ...header, partitions, files, id });
  if (!needsStore) await releaseBackup(store, id);
  return { partitions, files: named };
}

/** Returns true if files seem to be in a store. Without Postgres, this is unknown. */
async function hasFilesElsewhere({ connect }: Installation): Promise<boolean> {
  return withConnection(connect, hasFilesOutsideTheLog).catch((error: unknown) => {
    if (error instanceof Unavailable) return false;
    throw error;
  });
}

/** Returns the files that the previous backup names, to which this run adds new ones. */
async function findNamedFiles(directory: string, before: Backup | undefined): Promise<FileList> {
  if (before?.files !== undefined) return readFileList(directory, before.files);
  const files: FileList = new Map();
  // The installation had no file store when the previous backup was made.
  const records = before?.partitions.filter(({ topic }) => topic === 'records') ?? [];
  for (const each of records)
    for await (const entries of readChunks(directory, each))
      for (const { value } of entries) addNamedFile(files, { value, proof: 'none' });
  return files;
}

function countPlaces(files: FileList) {
  const inPlace = (wanted: string) => [...files.values()].filter(({ place }) => place === wanted);
  return {
    inBackup: inPlace('backup').length,
    inStore: inPlace('store').length,
    inLog: inPlace('log').length,
  };
}

/** Returns the existing backup, which this run continues. Removes files that a killed run left behind. */
function findBefore(directory: string, mark: Mark): Backup | undefined {
  const before = readBackup(directory);
  const others = readdirSync(directory).filter((name) => name !== 'lock' && name !== bytesFolder);
  const isOurs = (name: string) => isChunk(name) || isUnfinishedIndex(name) || isFileList(name);
  if (before === undefined && others.some((name) => !isOurs(name))) {
    throw new OperatorError(
      `${directory} contains other files: use a separate directory for the backup.`,
    );
  }
  if (before !== undefined) requireSameLog(directory, before, mark);
  const kept = new Set(before?.partitions.flatMap(({ chunks }) => chunks.map(({ file }) => file)));
  if (before?.files !== undefined) kept.add(before.files.list);
  for (const name of others) if (isOurs(name) && !kept.has(name)) rmSync(join(directory, name));
  return before;
}

const isChunk = (name: string): boolean => /^\w+-\d+-\d{20}\.zst$/.test(name);
const isUnfinishedIndex = (name: string): boolean => name.startsWith('backup.json.');

function requireSameLog(directory: string, before: Backup, mark: Mark): void {
  const { installationId, generation } = before.mark;
  if (installationId !== mark.installationId || generation !== mark.generation) {
    throw new OperatorError(
      `${directory} contains a backup of another log (installation ${installationId}, generation ${generation}): use another directory.`,
    );
  }
  requireChunks(directory, before);
  requireLastChunks(directory, before);
}

async function copyLog(
  context: CommandContext,
  { directory, before, foreign, named }: Omit<Target, 'header'> & { readonly named?: FileList },
): Promise<readonly BackedUpPartition[]> {
  const { topics } = context.installation;
  const known = new Map(
    before?.partitions.map((each) => [`${each.topic}/${each.partition}`, each]),
  );
  return withLogOf(context, async (kafka) => {
    const ends: { readonly from: BackedUpPartition; readonly end: bigint }[] = [];
    for (const topic of backedUpTopics) {
      for (const { partition, offset: end } of await readEnds(kafka, topics[topic])) {
        const nothing = { topic, partition, next: '0', chunks: [] };
        ends.push({ from: known.get(`${topic}/${partition}`) ?? nothing, end });
      }
    }
    const total = ends.reduce((all, { from, end }) => all + Number(end - BigInt(from.next)), 0);
    const partitions: BackedUpPartition[] = [];
    await countProgress(context.progress('Backing up'), total, async (add) => {
      for (const { from, end } of ends) {
        const isTruth = truth.has(from.topic);
        const onMessage =
          named === undefined || from.topic !== 'records'
            ? undefined
            : (message: ReadMessage) => addNamedFile(named, message);
        const source = { kafka, topic: topics[from.topic], end, isTruth, foreign, onMessage };
        partitions.push(await writeChunks(directory, source, from, add));
      }
    });
    return partitions;
  });
}

/** The directory entries of new files must be on disk before the file that refers to them is written. */
function flushDirectory(directory: string): void {
  const opened = openSync(directory, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

function sum(partitions: readonly BackedUpPartition[]) {
  const chunks = partitions.flatMap((each) => each.chunks);
  return {
    entries: chunks.reduce((all, { entries }) => all + entries, 0),
    bytes: chunks.reduce((all, { bytes }) => all + bytes, 0),
  };
}
