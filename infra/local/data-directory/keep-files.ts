import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { readTextIfPresent, writePrivateFile } from './private-file.ts';

const LOOK_EVERY_MS = 2_000;

/**
 * Writes each of these files again if it is deleted while Annals runs: operators' commands, and the next start, need them.
 * A file that is missing at the beginning is left out. A file whose directory is gone is not written.
 */
export function keepFiles(
  paths: readonly string[],
  { terminal, isStopping }: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): void {
  const contents = new Map<string, string>();
  const look = (): void => {
    for (const path of paths) {
      const content = readTextIfPresent(path);
      const known = contents.get(path);
      if (content !== undefined) contents.set(path, content);
      else if (known !== undefined && existsSync(dirname(path))) {
        writePrivateFile(path, known);
        terminal.warn(`${path} was deleted while Annals runs, and is written again.`);
      }
    }
  };
  const lookSafely = (): void => {
    try {
      look();
    } catch (error) {
      terminal.warn(`The files of the data directory cannot be kept: ${String(error)}`);
    }
  };
  lookSafely();
  const timer = setInterval(() => {
    if (isStopping()) clearInterval(timer);
    else lookSafely();
  }, LOOK_EVERY_MS);
  timer.unref();
}
