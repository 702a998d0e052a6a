import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** A build depends on these alone. */
const sources = [
  'services/console/**',
  'infra/console/*.ts',
  'docs/reference/webhooks.md',
  'package-lock.json',
];

export const consoleSources = join(root, 'services', 'console');
export const buildProgram = join(import.meta.dirname, 'build.ts');

/** Where the console is kept once it is built from these very sources, and whether it is there. */
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
