import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where programs of others are kept from run to run, beside the Kafka that is fetched once per user. */
export function compatCache(name: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const directory = join(cache, 'annals', 'compat');
  mkdirSync(directory, { recursive: true });
  return join(directory, name);
}
