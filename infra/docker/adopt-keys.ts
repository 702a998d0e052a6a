import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readTextIfPresent, writePrivateFile } from '../local/data-directory/private-file.ts';

/**
 * Copies the keys from the volume that both profiles of 0.1.0 shared, unless this installation already has a secret
 * key. `paths` are the destinations, the secret key first. The secret key is written last, so that the next run starts
 * over if this one is killed. Returns whether keys were copied.
 */
export function adoptKeys(former: string, paths: readonly [string, ...string[]]): boolean {
  const [secretKey, ...others] = paths;
  if (existsSync(secretKey) || !existsSync(join(former, basename(secretKey)))) return false;
  for (const path of [...others, secretKey]) {
    const content = readTextIfPresent(join(former, basename(path)));
    if (content !== undefined) writePrivateFile(path, content);
  }
  return true;
}
