import { statfs } from 'node:fs/promises';

/** The free space on a disk for this user. */
export interface Storage {
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly freeInodes: number;
  /** 0 if the file system allocates inodes on demand. */
  readonly totalInodes: number;
}

/** Measures the disk of this file or directory. */
export async function measureStorage(path: string): Promise<Storage> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(path);
  return {
    path,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    freeInodes: ffree,
    totalInodes: files,
  };
}
