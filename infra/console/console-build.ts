import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** All inputs of a build. Their hash is the name of its directory. */
const sources = [
  'services/console/**',
  'infra/console/*.ts',
  'docs/reference/webhooks.md',
  'package-lock.json',
];

export const consoleSources = join(root, 'services', 'console');
export const buildProgram = join(import.meta.dirname, 'build.ts');

/** Returns the directory for a build of the current sources, and whether that build exists. */
export function findConsoleBuild(): { readonly directory: string; readonly isBuilt: boolean } {
  const hash = createHash('sha256');
  for (const path of globSync(sources, { cwd: root, exclude: ['**/*.{d,test}.ts'] }).toSorted()) {
    const file = join(root, path);
    if (statSync(file).isFile()) hash.update(`${path}\0`).update(readFileSync(file)).update('\0');
  }
  const name = hash.digest('hex').slice(0, 16);
  const directory = join(root, 'node_modules', '.cache', 'annals', 'console', name);
  return { directory, isBuilt: existsSync(join(directory, 'index.html')) };
}
