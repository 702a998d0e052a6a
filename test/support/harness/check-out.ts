import { type ExecFileSyncOptionsWithBufferEncoding, execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

const gitOptions: ExecFileSyncOptionsWithBufferEncoding = {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'ignore'],
};

/** The sources of a former commit, in a new folder of `place`; undefined where this copy has no such history. */
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

/** The same, beside the packages of today. */
export function checkOutToRun(commit: string, place: string): string | undefined {
  const folder = checkOut(commit, place);
  if (folder !== undefined) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
