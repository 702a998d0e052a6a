import { asKnown } from './later-version.ts';
import { readVersions } from './schema-versions.ts';
import { decodeSingleObject, encodeSingleObject } from './single-object.ts';

/** An exact copy of an entry in a topic, as stored in a backup. */
export interface BackupEntry {
  readonly offset: number;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, Buffer>>;
}

/** Encodes in the newest version, because no running process reads backup entries. */
export function encodeBackupEntry(entry: BackupEntry): Buffer {
  return encodeSingleObject('backup-entry', entry, readVersions);
}

/** Throws Unavailable for bytes from a later version, and UnreadableMessage for bytes that no version ever wrote. */
export function decodeBackupEntry(bytes: Buffer): BackupEntry {
  const { value } = asKnown(() => decodeSingleObject(bytes, 'backup-entry'));
  const { offset, timestamp, key, value: content, headers } = value as BackupEntry;
  return { offset, timestamp, key, value: content, headers: { ...headers } };
}
