import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode, isOutOfSpace } from '../../infra/local/operator-error.ts';

/** A small disk that the test can fill. */
export interface DiskImage {
  /** The mount point. */
  readonly path: string;
  freeBytes(): number;
  freeInodes(): number;
  /** Takes this number of bytes, once. */
  take(bytes: number): void;
  /** Takes the free space to the last byte or inode, and continuously all that becomes free later. */
  fill(what: 'bytes' | 'inodes'): void;
  /** Stops filling, and frees this number of bytes, by default all of them. */
  releaseSpace(bytes?: number): void;
  /** Unmounts and removes the disk; no file on it may be open. */
  remove(): void;
}

const MIB = 2 ** 20;
const REFILL_MS = 50;
const FILE_BYTES = 4 * MIB;
const BULK_BYTES = 32 * MIB;

/** Returns the reason why this machine cannot mount an image, as a sentence; undefined if it can. */
export function findDiskObstacle(): string | undefined {
  if (process.platform !== 'linux')
    return 'The tests use mounted disk images, which requires Linux.';
  if (process.getuid?.() !== 0) return 'The tests use mounted disk images, which requires root.';
  try {
    mountDiskImage({ megabytes: 16 }).remove();
    return undefined;
  } catch (error) {
    return `The tests use mounted disk images, and mounting failed: ${error instanceof Error ? error.message : error}`;
  }
}

/** Uses ext4 without blocks reserved for root, so that Kafka and Postgres see the same free space. */
export function mountDiskImage(disk: {
  readonly megabytes: number;
  readonly inodes?: number | undefined;
}): DiskImage {
  const directory = mkdtempSync(join(tmpdir(), 'annals-disk-'));
  const image = join(directory, 'image');
  const path = join(directory, 'mounted');
  const inodes = disk.inodes === undefined ? [] : ['-N', `${disk.inodes}`];
  try {
    // Postgres runs as another user, who needs access to the path.
    chmodSync(directory, 0o711);
    mkdirSync(path);
    run('truncate', ['-s', `${disk.megabytes}M`, image]);
    run('mkfs.ext4', ['-q', '-F', '-m', '0', ...inodes, image]);
    run('mount', ['-o', 'loop', image, path]);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  const filler = openFiller(join(path, 'filler'));
  return {
    path,
    freeBytes: () => freeBytes(path),
    freeInodes: () => statfsSync(path).ffree,
    ...filler,
    remove() {
      filler.releaseSpace();
      run('umount', [path]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.trim()}`);
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function openFiller(directory: string): Pick<DiskImage, 'take' | 'fill' | 'releaseSpace'> {
  let timer: NodeJS.Timeout | undefined;
  let files = 0;
  const take = {
    bytes: () => {
      // Allocates the bulk without writing it, to cause no disk load.
      while (freeBytes(join(directory, '..')) > 2 * BULK_BYTES && allocate(directory, files))
        files += 1;
      while (takeBytes(join(directory, `${files}`))) files += 1;
    },
    inodes: () => {
      while (takeInode(join(directory, `${files}`))) files += 1;
    },
  };
  return {
    take(bytes) {
      mkdirSync(directory, { recursive: true });
      for (const last = files + bytes / FILE_BYTES; files < last; files += 1) {
        takeBytes(join(directory, `${files}`));
      }
    },
    fill(what) {
      mkdirSync(directory, { recursive: true });
      take[what]();
      timer ??= setInterval(take[what], REFILL_MS);
    },
    releaseSpace(bytes = Number.POSITIVE_INFINITY) {
      clearInterval(timer);
      timer = undefined;
      const until = freeBytes(join(directory, '..')) + bytes;
      for (const name of readNames(directory)) {
        if (freeBytes(directory) >= until) return;
        rmSync(join(directory, name));
      }
    },
  };
}

/** True if this number of bytes was available. */
function allocate(directory: string, file: number): boolean {
  return spawnSync('fallocate', ['-l', `${BULK_BYTES}`, join(directory, `${file}`)]).status === 0;
}

/** Writes a file of its size, or of the free space. Returns true if more space may be free. */
function takeBytes(path: string): boolean {
  let left = FILE_BYTES;
  try {
    const file = openSync(path, 'w');
    try {
      for (let size = MIB; left > 0 && size >= 512; ) {
        const written = tryToWrite(file, Math.min(size, left));
        left -= written;
        if (written === 0) size /= 2;
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    return false;
  }
  return left === 0;
}

const block = Buffer.alloc(MIB, 7);

function tryToWrite(file: number, size: number): number {
  try {
    return writeSync(file, block, 0, size);
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    return 0;
  }
}

function takeInode(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    return false;
  }
}

function readNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
