import { expect, it } from 'vitest';
import type { RunningProcess } from '../../api/system.ts';
import { mergeSettings, sortSettings } from './merge-settings.ts';

const process = (service: RunningProcess['service'], port: string, limit: string | null) => ({
  service,
  address: `http://127.0.0.1:${port}`,
  told: {
    version: '1',
    nodeVersion: '24',
    startedAt: '2030-01-31T10:00:00.000Z',
    settings: [
      { name: 'LIMIT', value: limit, isSecret: false, source: 'environment' as const },
      { name: 'KEY', value: null, isSecret: true, source: 'start' as const },
    ],
  },
});

it('returns one row per setting, or several if processes have different values', () => {
  const merged = mergeSettings([
    process('api', '1', '5'),
    process('api', '2', '6'),
    process('projector', '3', '5'),
    { service: 'dispatcher', address: 'http://127.0.0.1:4', told: null },
  ]);
  expect(merged.map(({ name, value, where }) => [name, value, where])).toEqual([
    ['LIMIT', '5', ['api http://127.0.0.1:1', 'projector http://127.0.0.1:3']],
    ['LIMIT', '6', ['api http://127.0.0.1:2']],
    ['KEY', null, undefined],
  ]);
});

it('sorts settings by name or source in both directions', () => {
  const merged = mergeSettings([process('api', '1', '5')]);
  const namesBy = (sort: string) => sortSettings(merged, sort).map(({ name }) => name);
  expect(['name', '-name', 'source', '-source'].map(namesBy)).toEqual([
    ['KEY', 'LIMIT'],
    ['LIMIT', 'KEY'],
    ['LIMIT', 'KEY'],
    ['KEY', 'LIMIT'],
  ]);
});
