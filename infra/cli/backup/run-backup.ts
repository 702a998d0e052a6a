/**
 * Copies the log while it is being written (docs/adr/0038). The ends of all partitions are read first. A topic with
 * references is read before the topics that it refers to, so that the backup has no dangling references.
 */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspectInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import { makeDirectory } from '../../local/data-directory/open-data-directory.ts';
import { isOutOfSpace, OperatorError } from '../../local/operator-error.ts';
import { tryLockFile } from '../../local/processes/file-lock.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { countProgress } from '../progress.ts';
import { withLogOf } from '../rebuild-log/damaged-log.ts';
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
import { type ForeignEntries, writeChunks } from './chunks.ts';

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
export async function runBackup(context: CommandContext, directory: string) {
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
    const partitions = await copyLog(context, { directory, before, foreign });
    flushDirectory(directory);
    const { topicPrefix } = installation;
    writeBackup(directory, { takenAt, topicPrefix, mark, keyCheck, partitions });
    const [now, then] = [sum(partitions), sum(before?.partitions ?? [])];
    return {
      takenAt,
      // Since the previous backup, if there is one.
      newEntries: now.entries - then.entries,
      newBytes: now.bytes - then.bytes,
      ...now,
      isIncremental: before !== undefined,
      foreign,
    };
  } catch (error) {
    if (error instanceof BatchDamaged) {
      throw new OperatorError(
        `The log is ${error.message}. Nothing was added to the backup: ${error.remedy}.`,
      );
    }
    if (!isOutOfSpace(error)) throw error;
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

/** Returns the existing backup, which this run continues. Removes files that a killed run left behind. */
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
      `${directory} contains a backup of another log (installation ${installationId}, generation ${generation}): use another directory.`,
    );
  }
  requireChunks(directory, before);
  requireLastChunks(directory, before);
}

async function copyLog(
  context: CommandContext,
  {
    directory,
    before,
    foreign,
  }: { directory: string; before: Backup | undefined; foreign: ForeignEntries },
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
        const source = { kafka, topic: topics[from.topic], end, isTruth, foreign };
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
