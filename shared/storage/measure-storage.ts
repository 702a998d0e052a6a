import { statfs } from 'node:fs/promises';

/** What a disk has left, as far as this user may take it. */
export interface Storage {
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly freeInodes: number;
  /** 0 where the file system makes inodes as it needs them. */
  readonly totalInodes: number;
}

/** Of the disk that holds this file or directory. */
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
