/**
 * Builds the console into the directory that is named, by default where `npm start` looks for it: all of it or nothing,
 * so that two builds at the same time do not meet.
 */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { consoleSources, findConsoleBuild } from './console-build.ts';

const [wanted] = process.argv.slice(2);
const target = wanted === undefined ? findConsoleBuild().directory : resolve(wanted);
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

/** Once here, instead of at each request. */
function compress(directory: string): void {
  for (const name of globSync('**/*.{js,css,svg}', { cwd: directory })) {
    const path = join(directory, name);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  }
}

function putInPlace(): void {
  if (wanted !== undefined) rmSync(target, { recursive: true, force: true });
  try {
    renameSync(unfinished, target);
  } catch (error) {
    // Another build of the same sources was quicker.
    if (!findConsoleBuild().isBuilt) throw error;
  }
}
