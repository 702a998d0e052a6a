import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates what is missing of the way to a directory, all of it with this mode, whatever the umask takes away. */
export function makeDirectory(path: string, mode: number): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, mode);
}
