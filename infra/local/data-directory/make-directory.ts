import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a directory and its missing parents, all of them with this mode regardless of the umask. */
export function makeDirectory(path: string, mode: number): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, mode);
}
