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

const open = (mayCreate: boolean) =>
  openClassArchive({ command: process.execPath, libraries: join(directory, 'kafka') }, mayCreate);

/** Simulates Java at the exit of a broker. */
async function end(options: readonly string[], signal: NodeJS.Signals | null) {
  const [, path = ''] = options[0]?.split('=') ?? [];
  writeFileSync(path, '');
  const exited = Promise.resolve({ code: signal === null ? 143 : null, signal });
  open(true).keepAfter(exited);
  await exited;
  return path;
}

it('reuses the archive of the first broker for all later brokers', async () => {
  expect(open(false).options).toEqual([]);
  const { options } = open(true);
  expect(options).toEqual([expect.stringMatching(/^-XX:ArchiveClassesAtExit=.+\.jsa\.new-\d+$/)]);

  const unfinished = await end(options, null);
  const path = unfinished.replace(/\.new-\d+$/, '');
  for (const mayCreate of [true, false]) {
    expect(open(mayCreate).options).toEqual([`-XX:SharedArchiveFile=${path}`]);
  }
});

it('ignores the output of a killed broker', async () => {
  const unfinished = await end(open(true).options, 'SIGKILL');
  expect(existsSync(unfinished)).toBe(false);
  expect(open(false).options).toEqual([]);
});
