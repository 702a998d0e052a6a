import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openClassArchive } from './class-archive.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-classes-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = (isMade: boolean) =>
  openClassArchive({ command: process.execPath, libraries: join(directory, 'kafka') }, isMade);

/** As Java does at the end of a broker. */
async function end(options: readonly string[], signal: NodeJS.Signals | null) {
  const [, path = ''] = options[0]?.split('=') ?? [];
  writeFileSync(path, '');
  const exited = Promise.resolve({ code: signal === null ? 143 : null, signal });
  open(true).keepOf({ exited });
  await exited;
  return path;
}

it('is made at the end of a broker that is to make it, and used by all later ones', async () => {
  expect(open(false).options).toEqual([]);
  const { options } = open(true);
  expect(options).toEqual([expect.stringMatching(/^-XX:ArchiveClassesAtExit=.+\.jsa\.new-\d+$/)]);

  const unfinished = await end(options, null);
  const path = unfinished.replace(/\.new-\d+$/, '');
  for (const isMade of [true, false]) {
    expect(open(isMade).options).toEqual([`-XX:SharedArchiveFile=${path}`]);
  }
});

it('is not made of what a killed broker has written', async () => {
  const unfinished = await end(open(true).options, 'SIGKILL');
  expect(existsSync(unfinished)).toBe(false);
  expect(open(false).options).toEqual([]);
});
