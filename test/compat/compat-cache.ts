import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the directory for a third-party program, kept between runs next to the Kafka that is fetched once
 * per user.
 */
export function compatCache(name: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const directory = join(cache, 'annals', 'compat');
  mkdirSync(directory, { recursive: true });
  return join(directory, name);
}
