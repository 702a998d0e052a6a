import { type ExecFileSyncOptionsWithBufferEncoding, execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

const gitOptions: ExecFileSyncOptionsWithBufferEncoding = {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'ignore'],
};

/** Checks out a former commit into a new folder of `place`; undefined if this copy lacks that history. */
export function checkOut(commit: string, place: string): string | undefined {
  const folder = join(place, commit);
  const archive = join(place, `${commit}.tar`);
  try {
    writeFileSync(archive, execFileSync('git', ['archive', commit], gitOptions));
  } catch {
    return undefined;
  }
  mkdirSync(folder);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  return folder;
}

/** The same, with the current packages linked next to it. */
export function checkOutToRun(commit: string, place: string): string | undefined {
  const folder = checkOut(commit, place);
  if (folder !== undefined) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
