import type { EnvReader } from './env.ts';

/** How much of the database the searches of clients may use. */
export interface SearchSettings {
  /** Searches that run at the same time. Further ones wait for a moment and are then refused. */
  readonly connections: number;
  readonly timeoutMs: number;
}

export function readSearchSettings(read: EnvReader): SearchSettings {
  return {
    connections: read.int('API_SEARCH_CONNECTIONS', { fallback: 4, min: 1, max: 100 }),
    timeoutMs: read.durationMs('API_SEARCH_TIMEOUT', { fallback: '10s', min: '100ms', max: '10m' }),
  };
}
