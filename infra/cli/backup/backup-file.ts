import { createHash, createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Mark } from '../../../shared/installation/mark.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { deriveKey } from '../../../shared/secrets/derive-key.ts';
import { readTextIfPresent, writePrivateJson } from '../../local/data-directory/private-file.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** The topics that a backup contains. All other topics can be derived from them. */
export type BackedUpTopic = Exclude<
  keyof TopicNames,
  'installation' | 'webhookOverflow' | 'webhookRetries'
>;

/** A file with entries from one partition, in the order of their offsets. */
export interface Chunk {
  readonly file: string;
  readonly entries: number;
  /** The size of the file. */
  readonly bytes: number;
  /** The SHA-256 hash, in hexadecimal, of the previous chunk's hash followed by the bytes of the file. */
  readonly sha256: string;
}

export interface BackedUpPartition {
  readonly topic: BackedUpTopic;
  readonly partition: number;
  /** The decimal offset at which the next backup continues. */
  readonly next: string;
  readonly chunks: readonly Chunk[];
}

/** The list of files that records in the backup name. */
export interface BackedUpFiles {
  /** The name of the list. */
  readonly list: string;
  /** The SHA-256 hash of the list, in hexadecimal. */
  readonly sha256: string;
}

/** The content of `backup.json`, which lists the files of the backup and is written last. */
export interface Backup {
  readonly format: typeof FORMAT | typeof FORMAT_WITH_FILES;
  /** The start time of the backup, in ISO 8601. */
  readonly takenAt: string;
  readonly topicPrefix: string;
  readonly mark: Mark;
  /** Distinguishes the installation's secret key from others without revealing it. */
  readonly keyCheck: string;
  readonly partitions: readonly BackedUpPartition[];
  /** Set if the installation has a file store. */
  readonly files?: BackedUpFiles;
  /** Identifies this backup in the file store if it needs files there. */
  readonly id?: string;
}

const FORMAT = 1;
/** Versions that do not know file stores refuse such a backup instead of restoring it without files. */
const FORMAT_WITH_FILES = 2;
const backupFile = (directory: string): string => join(directory, 'backup.json');

/** Adds a checksum to the content, so that changed bytes in this file are detected too. */
export function writeBackup(directory: string, backup: Omit<Backup, 'format'>): void {
  const format = backup.files === undefined ? FORMAT : FORMAT_WITH_FILES;
  const content: Backup = { format, ...backup };
  writePrivateJson(backupFile(directory), { ...content, sha256: hashOf(content) });
}

/**
 * Returns undefined if the directory contains no backup. Throws OperatorError if the file is damaged or from a later
 * version.
 */
export function readBackup(directory: string): Backup | undefined {
  const text = readTextIfPresent(backupFile(directory));
  if (text === undefined) return undefined;
  const { sha256, ...content } = parse(text, directory);
  const { format } = content;
  if (format !== undefined && format !== FORMAT && format !== FORMAT_WITH_FILES) {
    throw new OperatorError(
      `${backupFile(directory)} has the format ${format}. Use a later version of Annals to read it.`,
    );
  }
  if (sha256 !== hashOf(content)) throw damaged(directory, 'backup.json');
  return content;
}

export function damaged(directory: string, file: string): OperatorError {
  return new OperatorError(`${join(directory, file)} is damaged: use another copy of this backup.`);
}

/** Throws OperatorError for the first file that is missing or has an unexpected size. */
export function requireChunks(directory: string, { partitions }: Backup): void {
  for (const { file, bytes } of partitions.flatMap(({ chunks }) => chunks)) {
    const path = join(directory, file);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) {
      throw new OperatorError(`${path} is missing: use another copy of this backup.`);
    }
    if (found.size !== bytes) throw damaged(directory, file);
  }
}

/** Verifies the last file of each partition, from which the chain continues. A restore verifies the others. */
export function requireLastChunks(directory: string, { partitions }: Backup): void {
  for (const { chunks } of partitions) {
    const last = chunks.at(-1);
    if (last === undefined) continue;
    const before = chunks.at(-2)?.sha256 ?? '';
    const bytes = readFileSync(join(directory, last.file));
    if (chainHash(before, bytes) !== last.sha256) throw damaged(directory, last.file);
  }
}

export function keyCheckOf(secretKey: string, { installationId }: Mark): string {
  const key = deriveKey(secretKey, 'annals backup v1');
  return createHmac('sha256', key).update(installationId).digest('hex').slice(0, 32);
}

/** `before`: the hash of the previous chunk; empty for the first chunk. */
export function chainHash(before: string, bytes: Buffer): string {
  return createHash('sha256').update(before).update(bytes).digest('hex');
}

function parse(text: string, directory: string): Backup & { readonly sha256?: unknown } {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(directory, 'backup.json');
  }
}

function hashOf(content: Backup): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
