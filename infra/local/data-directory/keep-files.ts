import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { readTextIfPresent, writePrivateFile } from './private-file.ts';

const CHECK_EVERY_MS = 2_000;

/**
 * Rewrites each of these files if it is deleted while Annals runs, because operators' commands and the next start need
 * it. Ignores files that are missing initially, and files whose directory is missing.
 */
export function keepFiles(
  paths: readonly string[],
  { terminal, isStopping }: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): void {
  const contents = new Map<string, string>();
  const restoreFiles = (): void => {
    for (const path of paths) {
      const content = readTextIfPresent(path);
      const known = contents.get(path);
      if (content !== undefined) contents.set(path, content);
      else if (known !== undefined && existsSync(dirname(path))) {
        writePrivateFile(path, known);
        terminal.warn(`${path} was deleted while Annals was running and has been restored.`);
      }
    }
  };
  const restoreSafely = (): void => {
    try {
      restoreFiles();
    } catch (error) {
      terminal.warn(`Cannot restore the files of the data directory: ${String(error)}`);
    }
  };
  restoreSafely();
  const timer = setInterval(() => {
    if (isStopping()) clearInterval(timer);
    else restoreSafely();
  }, CHECK_EVERY_MS);
  timer.unref();
}
