import { decodeSingleObject, encodeSingleObject, loadSchema } from './single-object.ts';

/** An entry of a topic as a backup has it, byte for byte. */
export interface BackupEntry {
  readonly offset: number;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, Buffer>>;
}

const backupEntryV1 = loadSchema('backup-entry.v1');
const known = new Map([[backupEntryV1.fingerprint, backupEntryV1]]);

export function encodeBackupEntry(entry: BackupEntry): Buffer {
  return encodeSingleObject(backupEntryV1, entry);
}

/** Throws UnreadableMessage for bytes that no version ever wrote. */
export function decodeBackupEntry(bytes: Buffer): BackupEntry {
  const { value } = decodeSingleObject(known, bytes);
  const { offset, timestamp, key, value: content, headers } = value as BackupEntry;
  return { offset, timestamp, key, value: content, headers: { ...headers } };
}
