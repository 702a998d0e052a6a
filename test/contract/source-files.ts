import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Returns the text of a file. `name` is a path from the root of the project. */
export function readProjectFile(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}

/** Returns the texts of all TypeScript sources below these folders, except tests. */
export function readSources(...folders: readonly string[]): readonly string[] {
  return findSources(...folders).map(readProjectFile);
}

/** Returns the paths of all TypeScript sources below these folders from the root of the project, except tests. */
export function findSources(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => path.join(folder, name)),
  );
}

/** Returns the distinct, sorted matches of the pattern's first group in all texts. */
export function findAll(texts: readonly string[], pattern: RegExp): readonly string[] {
  const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(found)].sort();
}
