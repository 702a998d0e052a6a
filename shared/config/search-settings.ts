import type { EnvReader } from './env.ts';

/** Limits the database resources that client searches may use. */
export interface SearchSettings {
  /** Maximum number of concurrent searches. Further searches wait briefly and are then rejected. */
  readonly connections: number;
  readonly timeoutMs: number;
}

export function readSearchSettings(read: EnvReader): SearchSettings {
  return {
    connections: read.int('API_SEARCH_CONNECTIONS', { fallback: 4, min: 1, max: 100 }),
    timeoutMs: read.durationMs('API_SEARCH_TIMEOUT', { fallback: '10s', min: '100ms', max: '10m' }),
  };
}
