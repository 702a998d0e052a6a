import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../shared/domain/errors.ts';
import type { ExternalStore, FileContent } from '../../shared/files/file-store.ts';

const MIB = 1024 * 1024;

/** Returns random bytes with their name, in pieces of any size. */
export function aStoredFile(size: number, pieceBytes = 300_001) {
  const content = randomBytes(size);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { content, sha256, size, pieces: cut(content, pieceBytes) };
}

function* cut(content: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
}

async function readWhole(
  store: Pick<ExternalStore, 'read'>,
  sha256: string,
  range: { readonly from: number; readonly to: number },
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of store.read(sha256, range)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function listedIn(store: ExternalStore): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { sha256 } of store.list()) found.push(sha256);
  return found;
}

/** The tests that every file store has to pass. */
export function describeFileStore(name: string, open: () => Promise<ExternalStore>): void {
  describe(name, () => {
    proveContents(open);
    proveLists(open);
  });
}

function proveContents(open: () => Promise<ExternalStore>): void {
  it.each([
    ['an empty file', 0],
    ['one byte', 1],
    ['several parts', 19 * MIB + 7],
  ])('returns %s unchanged, completely and in ranges', async (_, size) => {
    const store = await open();
    const file = aStoredFile(size);
    expect(await store.sizeOf(file.sha256)).toBeUndefined();
    await store.put(file);
    expect(await store.sizeOf(file.sha256)).toBe(size);
    const ranges = [
      [0, size],
      [0, Math.min(1, size)],
      [Math.max(0, size - 1), size],
      [Math.floor(size / 3), Math.floor(size / 2)],
    ] as const;
    for (const [from, to] of ranges) {
      const found = await readWhole(store, file.sha256, { from, to });
      expect(found.equals(file.content.subarray(from, to))).toBe(true);
    }
  });

  it.each<[string, (file: ReturnType<typeof aStoredFile>) => FileContent]>([
    ['is cut off', ({ content, ...file }) => ({ ...file, pieces: [content.subarray(0, -1)] })],
    ['is too long', ({ content, ...file }) => ({ ...file, pieces: [content, content] })],
    [
      'has other bytes',
      ({ content, ...file }) => ({
        ...file,
        pieces: [content.map((b) => b + 1)].map((b) => Buffer.from(b)),
      }),
    ],
    ['breaks off with an error', (file) => ({ ...file, pieces: failing(file.content) })],
  ])('stores nothing of a file that %s', async (_, damage) => {
    const store = await open();
    for (const size of [10, 11 * MIB]) {
      const file = aStoredFile(size);
      await expect(store.put(damage(file))).rejects.toThrow();
      expect(await store.sizeOf(file.sha256)).toBeUndefined();
    }
  });

  it('keeps one copy of a file that several callers store at the same time', async () => {
    const store = await open();
    const { content, ...file } = aStoredFile(9 * MIB);
    const put = async () => store.put({ ...file, pieces: [content] });
    await Promise.all([put(), put(), put()]);
    expect((await listedIn(store)).filter((sha256) => sha256 === file.sha256)).toHaveLength(1);
    const range = { from: 0, to: file.size };
    expect((await readWhole(store, file.sha256, range)).equals(content)).toBe(true);
  });
}

function proveLists(open: () => Promise<ExternalStore>): void {
  it('lists files with their size and time, and deletes them', async () => {
    const store = await open();
    const files = [aStoredFile(1), aStoredFile(2), aStoredFile(3)];
    for (const file of files) await store.put(file);
    const expected = files
      .map(({ sha256, size }) => ({ sha256, size, isNow: true }))
      .sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
    const listed = [];
    for await (const { sha256, size, storedAt = 0 } of store.list())
      listed.push({ sha256, size, isNow: Math.abs(Date.now() - storedAt) < 60_000 });
    const hashes = new Set(files.map(({ sha256 }) => sha256));
    expect(listed.filter(({ sha256 }) => hashes.has(sha256))).toEqual(expected);
    for (const sha256 of [...hashes, ...hashes]) await store.delete(sha256);
    expect((await listedIn(store)).filter((sha256) => hashes.has(sha256))).toEqual([]);
  });

  it('throws Unavailable when a file that it lacks is read', async () => {
    const store = await open();
    const { sha256 } = aStoredFile(3);
    await expect(readWhole(store, sha256, { from: 0, to: 3 })).rejects.toThrow(Unavailable);
  });

  it('keeps notes', async () => {
    const { notes } = await open();
    expect(await notes.read('a')).toBeUndefined();
    await notes.write('a', Buffer.from('one'));
    await notes.write('a', Buffer.from('two'));
    await notes.write('b', Buffer.from('three'));
    expect((await notes.read('a'))?.toString()).toBe('two');
    expect([...(await notes.list())].sort()).toEqual(['a', 'b']);
    for (const note of ['a', 'b', 'b']) await notes.delete(note);
    expect(await notes.list()).toEqual([]);
  });
}

async function* failing(content: Buffer): AsyncGenerator<Buffer> {
  yield content.subarray(0, Math.ceil(content.length / 2));
  throw new Error('the source ends');
}
