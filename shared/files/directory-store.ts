import { randomUUID } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { Unavailable } from '../domain/errors.ts';
import { checkedPieces } from './file-pieces.ts';
import {
  type ByteRange,
  type ExternalStore,
  isSha256,
  type ListedFile,
  type StoreNotes,
} from './file-store.ts';
import { readHandle } from './read-handle.ts';
import { changedWhileStored, storeFull } from './store-failures.ts';

/** Returns the folders and the name of a file in a directory store. */
export const placeOf = (sha256: string): readonly string[] => ['files', sha256.slice(0, 2), sha256];

/**
 * Stores files in a directory, which must exist:
 *
 *   files/ab/ab12…   the bytes of a file, named by their hash
 *   notes/           small objects
 *   tmp/             files that are being written
 *
 * A file is written to tmp, flushed and renamed, so a file under its final name is always complete.
 */
export function createDirectoryStore(directory: string): ExternalStore {
  const name = `file://${directory}`;
  const pathOf = (sha256: string) => join(directory, ...placeOf(sha256));
  const failing = <Result>(work: Promise<Result>) => orFailure(name, work);

  /** Never creates the directory: a missing one may be a file system that is not mounted. */
  async function write(path: readonly string[], pieces: AsyncIterable<Buffer>): Promise<void> {
    const folders = path
      .slice(0, -1)
      .map((_, index) => join(directory, ...path.slice(0, index + 1)));
    for (const folder of [join(directory, 'tmp'), ...folders]) await makeFolder(folder);
    const unfinished = join(directory, 'tmp', randomUUID());
    try {
      await writeFlushed(unfinished, pieces);
      await rename(unfinished, join(directory, ...path));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
    for (const folder of [...folders, directory]) await flushFolder(folder);
  }

  async function* list(): AsyncGenerator<ListedFile> {
    await failing(stat(directory));
    for (const folder of await failing(listFolder(join(directory, 'files'))))
      yield* listIn(join(directory, 'files', folder));
  }

  async function* listIn(folder: string): AsyncGenerator<ListedFile> {
    const names = await failing(listFolder(folder));
    for (const sha256 of names.filter(isSha256)) {
      const found = await failing(unlessMissing(stat(join(folder, sha256))));
      if (found !== undefined) yield { sha256, size: found.size, storedAt: found.mtimeMs };
    }
  }

  const notes: StoreNotes = {
    async read(note) {
      const found = await failing(unlessMissing(readFile(join(directory, 'notes', note))));
      if (found === undefined) await failing(stat(directory));
      return found;
    },
    write: (note, content) => failing(write(['notes', note], toPieces(content))),
    delete: (note) => failing(rm(join(directory, 'notes', note), { force: true })),
    async list() {
      await failing(stat(directory));
      return failing(listFolder(join(directory, 'notes')));
    },
  };

  return {
    name,
    notes,
    put: (file) => {
      const pieces = checkedPieces(file, changedWhileStored);
      return failing(write(placeOf(file.sha256), pieces));
    },
    async sizeOf(sha256) {
      const found = await failing(unlessMissing(stat(pathOf(sha256))));
      // Distinguishes a missing file from a directory that is not mounted.
      if (found === undefined) await failing(stat(directory));
      return found?.size;
    },
    read: (sha256, range) => readRange(pathOf(sha256), { name, range }),
    delete: (sha256) => failing(rm(pathOf(sha256), { force: true })),
    list,
    deleteRemains: (before) => failing(deleteOldFiles(join(directory, 'tmp'), before)),
    signUrl: async () => undefined,
    close: () => undefined,
  };
}

async function* toPieces(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function writeFlushed(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* readRange(
  path: string,
  { name, range }: { readonly name: string; readonly range: ByteRange },
): AsyncGenerator<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const tooShort = () => new Unavailable(`The file is shorter than expected in ${name}.`);
    yield* readHandle(file, range, tooShort);
  } catch (error) {
    throw toFailure(name, error);
  } finally {
    await file?.close();
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The directory entry of a new file must be on disk before a record names the file. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Returns the sorted names in a folder; none if the folder does not exist yet. */
async function listFolder(path: string): Promise<readonly string[]> {
  return ((await unlessMissing(readdir(path))) ?? []).sort();
}

async function deleteOldFiles(folder: string, before: number): Promise<void> {
  for (const name of await listFolder(folder)) {
    const found = await unlessMissing(stat(join(folder, name)));
    if (found !== undefined && found.mtimeMs < before)
      await rm(join(folder, name), { force: true });
  }
}

async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function orFailure<Result>(name: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw toFailure(name, error);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

function toFailure(name: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Unavailable || !/^E[A-Z]+$/.test(code)) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return storeFull(error);
  return new Unavailable('The file store is not available.', {
    cause: error,
    remedy: `${name} cannot be used (${code}): mount or create the directory, and let the account of Annals write to it`,
  });
}
