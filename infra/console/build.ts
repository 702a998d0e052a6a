/**
 * Builds the console into the directory given as an argument, by default the cache directory that `npm start` serves.
 * The finished build is moved into place as a whole, so concurrent builds cannot mix their files.
 */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { consoleSources, findConsoleBuild } from './console-build.ts';

const [directory] = process.argv.slice(2);
const target = directory === undefined ? findConsoleBuild().directory : resolve(directory);
const unfinished = `${target}.${process.pid}`;

mkdirSync(dirname(target), { recursive: true });
try {
  await build({
    root: consoleSources,
    logLevel: 'warn',
    build: { outDir: unfinished, emptyOutDir: true },
  });
  compress(join(unfinished, 'assets'));
  putInPlace();
} finally {
  rmSync(unfinished, { recursive: true, force: true });
}

/** Compresses at build time rather than for each request. */
function compress(directory: string): void {
  for (const name of globSync('**/*.{js,css,svg}', { cwd: directory })) {
    const path = join(directory, name);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  }
}

function putInPlace(): void {
  if (directory !== undefined) rmSync(target, { recursive: true, force: true });
  try {
    renameSync(unfinished, target);
  } catch (error) {
    // Ignored if a concurrent build of the same sources has finished first.
    if (!findConsoleBuild().isBuilt) throw error;
  }
}
