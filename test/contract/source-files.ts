import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The text of a file of the project. */
export function readProjectFile(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}

/** The texts of all TypeScript sources below these folders, tests left out. */
export function readSources(...folders: readonly string[]): readonly string[] {
  return findSources(...folders).map(readProjectFile);
}

/** Their names, from the root of the project. */
export function findSources(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => path.join(folder, name)),
  );
}

/** What a pattern's first group matches in any of the texts, sorted, each once. */
export function findAll(texts: readonly string[], pattern: RegExp): readonly string[] {
  const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(found)].sort();
}
