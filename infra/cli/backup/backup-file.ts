import { createHash, createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Mark } from '../../../shared/installation/mark.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { deriveKey } from '../../../shared/secrets/derive-key.ts';
import { readTextIfPresent, writePrivateJson } from '../../local/data-directory/private-file.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** Topics that a backup has. All others can be derived from them. */
export type BackedUpTopic = Exclude<
  keyof TopicNames,
  'installation' | 'webhookOverflow' | 'webhookRetries'
>;

/** A file of entries of one partition, in the order of their offsets. */
export interface Chunk {
  readonly file: string;
  readonly entries: number;
  /** Size of the file. */
  readonly bytes: number;
  /** SHA-256 over the one of the chunk before, in hexadecimal, and the bytes of the file. */
  readonly sha256: string;
}

export interface BackedUpPartition {
  readonly topic: BackedUpTopic;
  readonly partition: number;
  /** Where the next backup goes on, in decimal. */
  readonly next: string;
  readonly chunks: readonly Chunk[];
}

/** `backup.json`: written last, it says what belongs to the backup. */
export interface Backup {
  readonly format: typeof FORMAT;
  /** Of the moment at which it was begun, as ISO 8601. */
  readonly takenAt: string;
  readonly topicPrefix: string;
  readonly mark: Mark;
  /** Tells the installation's secret key from others, and nothing of it. */
  readonly keyCheck: string;
  readonly partitions: readonly BackedUpPartition[];
}

const FORMAT = 1;
const backupFile = (directory: string): string => join(directory, 'backup.json');

/** With a checksum of its own, so that a changed byte is noticed there as well. */
export function writeBackup(directory: string, backup: Omit<Backup, 'format'>): void {
  const content: Backup = { format: FORMAT, ...backup };
  writePrivateJson(backupFile(directory), { ...content, sha256: hashOf(content) });
}

/** Undefined where there is none. Throws OperatorError for a file that is none, or of a later version. */
export function readBackup(directory: string): Backup | undefined {
  const text = readTextIfPresent(backupFile(directory));
  if (text === undefined) return undefined;
  const { sha256, ...content } = parse(text, directory);
  if (content.format !== undefined && content.format !== FORMAT) {
    throw new OperatorError(
      `${backupFile(directory)} has the format ${content.format}, which a later version of Annals reads.`,
    );
  }
  if (sha256 !== hashOf(content)) throw damaged(directory, 'backup.json');
  return content;
}

export function damaged(directory: string, file: string): OperatorError {
  return new OperatorError(
    `${join(directory, file)} is not as it was written: take another copy of this backup.`,
  );
}

/** Throws OperatorError naming the first file that is missing or has another size. */
export function requireChunks(directory: string, { partitions }: Backup): void {
  for (const { file, bytes } of partitions.flatMap(({ chunks }) => chunks)) {
    const path = join(directory, file);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) {
      throw new OperatorError(`${path} is missing: take another copy of this backup.`);
    }
    if (found.size !== bytes) throw damaged(directory, file);
  }
}

/** Of each partition the file at which the chain goes on; the others are verified by a restore. */
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

/** `before`: of the chunk before, empty for the first one. */
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
