/**
 * The files of a backup (docs/adr/0062). A file in the log is in the topic `files` of the backup. A file in the file
 * store is copied next to the log, or stays in the store, where a note keeps it from being collected.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { decodeReadable } from '../../../shared/events/decode-readable.ts';
import type { ProvenMessage } from '../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { createDirectoryStore, placeOf } from '../../../shared/files/directory-store.ts';
import { haveHash } from '../../../shared/files/file-pieces.ts';
import { type ExternalStore, isSha256 } from '../../../shared/files/file-store.ts';
import { type BackedUpFiles, damaged } from './backup-file.ts';

/** `backup`: next to the log, `store`: only in the file store, `log`: in the topic. */
type FilePlace = 'backup' | 'store' | 'log';

interface BackedUpFile {
  readonly size: number;
  /** Undefined until the file has been looked up. */
  readonly place: FilePlace | undefined;
}

/** Files by their hashes. */
export type FileList = Map<string, BackedUpFile>;

/** Adds the file that an entry of the records topic names, if the entry creates an attachment. */
export function addNamedFile(files: FileList, message: ProvenMessage): void {
  const entry = decodeReadable(message, decodeLogEntry);
  if (entry?.kind !== 'event' || entry.event.entityType !== attachmentType) return;
  const { changes } = entry.event;
  const after = (name: string) => changes.find(({ attribute }) => attribute === name)?.after;
  const [sha256, size] = [after('sha256'), after('size')];
  const isNamed = typeof sha256 === 'string' && isSha256(sha256) && typeof size === 'number';
  if (isNamed && size > 0 && !files.has(sha256)) files.set(sha256, { size, place: undefined });
}

export const bytesFolder = 'bytes';

/** Returns the store within a backup that contains the bytes of files. */
export function openBytes(directory: string): ExternalStore {
  return createDirectoryStore(join(directory, bytesFolder));
}

export const isFileList = (name: string): boolean => /^files-[0-9a-f]{16}\.txt$/.test(name);

/** Reads the list of files in a backup. Throws OperatorError if it is damaged. */
export function readFileList(directory: string, { list, sha256 }: BackedUpFiles): FileList {
  const path = join(directory, list);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (hashOf(text) !== sha256) throw damaged(directory, list);
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [hash = '', size, place] = line.split(' ');
      return [hash, { size: Number(size), place: place as FilePlace }];
    }),
  );
}

/** Writes the list under a new name, so that the list of the previous backup stays valid. */
export function writeFileList(directory: string, files: FileList): BackedUpFiles {
  const text = [...files]
    .map(([sha256, { size, place = 'log' }]) => `${sha256} ${size} ${place}\n`)
    .join('');
  const sha256 = hashOf(text);
  const list = `files-${sha256.slice(0, 16)}.txt`;
  const path = join(directory, list);
  // The list of the previous backup must stay valid until this backup is complete.
  if (!existsSync(path)) writeFileSync(path, text, { mode: 0o600, flush: true });
  return { list, sha256 };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Looks up new files, and copies the bytes of those in the store into the backup. Without bytes, the files stay in the
 * store.
 */
export async function backUpFiles(
  directory: string,
  {
    store,
    files,
    withBytes,
  }: {
    readonly store: ExternalStore;
    readonly files: FileList;
    readonly withBytes: boolean;
  },
): Promise<void> {
  mkdirSync(join(directory, bytesFolder), { mode: 0o700, recursive: true });
  const target = openBytes(directory);
  for (const [sha256, { size, place }] of files) {
    // A file in the log may have been moved to the store since.
    const isKnown = place === 'backup' || (place === 'store' && !withBytes);
    if (isKnown) continue;
    files.set(sha256, {
      size,
      place: await backUpFile({ store, target, withBytes }, sha256, size),
    });
  }
}

async function backUpFile(
  {
    store,
    target,
    withBytes,
  }: {
    readonly store: ExternalStore;
    readonly target: ExternalStore;
    readonly withBytes: boolean;
  },
  sha256: string,
  size: number,
): Promise<FilePlace> {
  if ((await target.sizeOf(sha256)) === size) return 'backup';
  if ((await store.sizeOf(sha256)) !== size) return 'log';
  if (!withBytes) return 'store';
  await target.put({ sha256, size, pieces: store.read(sha256, { from: 0, to: size }) });
  return 'backup';
}

/** Reads the bytes of all files in the backup. Throws OperatorError for the first one that is missing or damaged. */
export async function verifyBytes(
  directory: string,
  files: FileList,
  onProgress: (files: number) => void,
): Promise<void> {
  const store = openBytes(directory);
  for (const [sha256, { size, place }] of files) {
    onProgress(1);
    if (place !== 'backup') continue;
    const path = join(bytesFolder, ...placeOf(sha256));
    if ((await store.sizeOf(sha256)) !== size) throw damaged(directory, path);
    const isRight = await haveHash(store.read(sha256, { from: 0, to: size }), sha256);
    if (!isRight) throw damaged(directory, path);
  }
}
