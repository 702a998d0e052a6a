/**
 * Copies the log while it is being written (docs/adr/0038). The ends of all partitions are read first, and referring
 * topics before the topics that they refer to, so that the backup contains everything that it refers to.
 */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lookAtInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { makeDirectory } from '../../local/data-directory/make-directory.ts';
import { isOutOfSpace, OperatorError } from '../../local/operator-error.ts';
import { tryLockFile } from '../../local/processes/file-lock.ts';
import type { Installation } from '../installation.ts';
import { countDone, type ProgressDisplay } from '../progress.ts';
import { requireKey } from '../with-kafka-for-marks.ts';
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
import { writeChunks } from './write-chunks.ts';

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
  installation: Installation,
  { directory, progress }: { directory: string; progress: (what: string) => ProgressDisplay },
) {
  const mark = await requireMark(installation);
  const keyCheck = keyCheckOf(requireKey(installation), mark);
  makeDirectory(directory, 0o700);
  const lock = tryLockFile(join(directory, 'lock'));
  if (lock === undefined) throw new OperatorError(`Another backup into ${directory} is running.`);
  const { log, topicPrefix } = installation;
  const kafka = createKafkaConnection(await toLogAddress(installation), log);
  try {
    const before = findBefore(directory, mark);
    const takenAt = new Date().toISOString();
    const foreign = createForeignList();
    const partitions = await copyLog(
      { installation, kafka, directory, shown: progress('Backing up'), onForeign: foreign.add },
      before,
    );
    flushDirectory(directory);
    const backup = { takenAt, topicPrefix, mark, keyCheck, partitions };
    writeBackup(directory, backup);
    return { ...describe(partitions, { takenAt, before }), foreign: foreign.found };
  } catch (error) {
    if (error instanceof BatchDamaged) {
      throw new OperatorError(
        `The log is ${error.message}. Nothing was added to the backup: ${error.remedy}.`,
      );
    }
    if (!isOutOfSpace(error)) throw error;
    throw new OperatorError(
      `The disk of ${directory} is full. The existing backup is unchanged. Free some space, and run this command again.`,
    );
  } finally {
    await kafka.close();
    lock.release();
  }
}

async function requireMark(installation: Installation): Promise<Mark> {
  const { findings, verdict } = await lookAtInstalledLog(installation);
  if (verdict.kind === 'refused') {
    throw new OperatorError(`Nothing was backed up. ${verdict.says}: ${verdict.remedy}.`);
  }
  if (findings.mark === undefined) {
    throw new OperatorError('No log to back up exists yet: start Annals first.');
  }
  return findings.mark;
}

/** Returns the backup that this one continues. Removes files that a killed run left behind. */
function findBefore(directory: string, mark: Mark): Backup | undefined {
  const before = readBackup(directory);
  const others = readdirSync(directory).filter((name) => name !== 'lock');
  if (before === undefined && others.some((name) => !isChunk(name) && !isUnfinishedIndex(name))) {
    throw new OperatorError(
      `${directory} contains other files: use a separate directory for the backup.`,
    );
  }
  if (before !== undefined) requireSameLog(directory, before, mark);
  const kept = new Set(before?.partitions.flatMap(({ chunks }) => chunks.map(({ file }) => file)));
  for (const name of others) {
    if ((isChunk(name) && !kept.has(name)) || isUnfinishedIndex(name))
      rmSync(join(directory, name));
  }
  return before;
}

const isChunk = (name: string): boolean => /^\w+-\d+-\d{20}\.zst$/.test(name);
const isUnfinishedIndex = (name: string): boolean => name.startsWith('backup.json.');

function requireSameLog(directory: string, before: Backup, mark: Mark): void {
  const { installationId, generation } = before.mark;
  if (installationId !== mark.installationId || generation !== mark.generation) {
    throw new OperatorError(
      `${directory} has the backup of another log (installation ${installationId}, generation ${generation}): use another directory.`,
    );
  }
  requireChunks(directory, before);
  requireLastChunks(directory, before);
}

const FOREIGN_LISTED = 100;

/**
 * Collects entries with a wrong authentication code. They do not count in the log, nor after a restore, so they are
 * copied like all others.
 */
function createForeignList() {
  const found = { entries: 0, places: [] as string[] };
  return {
    found,
    add({ topic, partition, offset }: PartitionPosition): void {
      found.entries += 1;
      if (found.places.length < FOREIGN_LISTED)
        found.places.push(`${topic}/${partition}/${offset}`);
    },
  };
}

interface Copying {
  readonly onForeign: (place: PartitionPosition) => void;
  readonly installation: Installation;
  readonly kafka: KafkaConnection;
  readonly directory: string;
  readonly shown: ProgressDisplay;
}

async function copyLog(
  { installation: { topics }, kafka, directory, shown, onForeign }: Copying,
  before: Backup | undefined,
): Promise<readonly BackedUpPartition[]> {
  const known = new Map(
    before?.partitions.map((each) => [`${each.topic}/${each.partition}`, each]),
  );
  const ends: { readonly from: BackedUpPartition; readonly end: bigint }[] = [];
  for (const topic of backedUpTopics) {
    for (const { partition, offset: end } of await readEnds(kafka, topics[topic])) {
      const nothing = { topic, partition, next: '0', chunks: [] };
      ends.push({ from: known.get(`${topic}/${partition}`) ?? nothing, end });
    }
  }
  const total = ends.reduce((sum, { from, end }) => sum + Number(end - BigInt(from.next)), 0);
  const onProgress = countDone(shown, total);
  const partitions: BackedUpPartition[] = [];
  for (const { from, end } of ends) {
    const isTruth = truth.has(from.topic);
    const source = { kafka, topic: topics[from.topic], end, isTruth, onForeign };
    partitions.push(await writeChunks(directory, source, from, onProgress));
  }
  shown.finish();
  return partitions;
}

/** The names of new files have to be on the disk before the file that refers to them. */
function flushDirectory(directory: string): void {
  const opened = openSync(directory, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

function describe(
  partitions: readonly BackedUpPartition[],
  { takenAt, before }: { readonly takenAt: string; readonly before: Backup | undefined },
) {
  const now = sum(partitions);
  const then = sum(before?.partitions ?? []);
  return {
    takenAt,
    // Since the previous backup, if there was one.
    newEntries: now.entries - then.entries,
    newBytes: now.bytes - then.bytes,
    ...now,
    isIncremental: before !== undefined,
  };
}

function sum(partitions: readonly BackedUpPartition[]) {
  const chunks = partitions.flatMap((each) => each.chunks);
  return {
    entries: chunks.reduce((all, { entries }) => all + entries, 0),
    bytes: chunks.reduce((all, { bytes }) => all + bytes, 0),
  };
}
