import { readProjectFile } from '../contract/source-files.ts';

/** Returns the blocks of commands in a section of docs/operations/docker.md. */
export function linesOf(heading: string): readonly string[] {
  const [, after = ''] = readProjectFile('docs/operations/docker.md').split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ', 1);
  return [...section.matchAll(/```\n(.*?)```/gs)].map(([, block = '']) => block);
}

/** Returns the loops over services in the first block of a section. */
export function loopsOf(heading: string): readonly string[] {
  return linesOf(heading)[0]?.match(/^for .*?^done$/gms) ?? [];
}
