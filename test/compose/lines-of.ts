import { readProjectFile } from '../contract/source-files.ts';

interface Blocks {
  readonly document?: string;
  /** Of the marked language; by default unmarked blocks, which contain commands. */
  readonly language?: string;
}

/** Returns the blocks of commands in a section of a document, by default docs/operations/docker.md. */
export function linesOf(heading: string, blocks: Blocks = {}): readonly string[] {
  const { document = 'docs/operations/docker.md', language = '' } = blocks;
  const [, after = ''] = readProjectFile(document).split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ', 1);
  const found = [...section.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)];
  return found.flatMap(([, indent = '', marked, block = '']) =>
    marked === language ? [block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] : [],
  );
}

/** Returns the loops over services in the first block of a section. */
export function loopsOf(heading: string): readonly string[] {
  return linesOf(heading)[0]?.match(/^for .*?^done$/gms) ?? [];
}
