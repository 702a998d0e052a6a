import { expect, it } from 'vitest';
import { metricDefinitions } from '../../shared/runtime/metric-definitions.ts';
import { createMetrics } from '../../shared/runtime/metrics.ts';
import { findAll, readProjectFile, readSources } from './source-files.ts';

const document = readProjectFile('docs/reference/metrics.md');
const row = /^\| `([a-z0-9_]+)` \| (\w+) \| ([^|]*) \| ([^|]+) \|$/gm;

it('documents exactly the metrics of Annals with type, labels and meaning', () => {
  const documented = [...document.matchAll(row)]
    .map(([, name = '', type, labels = '', help = '']) => [name, { type, labels, help }] as const)
    .filter(([name]) => name.startsWith('annals_'));
  const defined = Object.entries(metricDefinitions).map(([name, { type, labels, help }]) => [
    name,
    { type, labels: labels.map((label) => `\`${label}\``).join(', '), help },
  ]);
  expect(documented.toSorted()).toEqual(defined.toSorted());
});

it('documents exactly the metrics of the process and of Node', async () => {
  const text = await createMetrics('example').text();
  const shown = findAll([text], /^# TYPE ((?:nodejs|process)_\S+)/gm);
  expect(findAll([document], /^\| `((?:nodejs|process)_[a-z0-9_]+)`/gm)).toEqual(shown);
  expect(shown.length).toBeGreaterThan(20);
});

it('sets every metric at least once', () => {
  const sources = readSources('services', 'shared', 'infra/local').filter(
    (text) => !text.includes('export const metricDefinitions'),
  );
  const used = findAll(sources, /'(annals_[a-z_]+)'/g);
  const unused = Object.keys(metricDefinitions).filter((name) => !used.includes(name));
  expect(unused).toEqual([]);
});

it.each(Object.entries(metricDefinitions))(
  '%s follows the naming rules of Prometheus',
  (name, it) => {
    expect(name.endsWith('_total')).toBe(it.type === 'counter');
    if (it.type === 'histogram') expect(name).toMatch(/_(?:seconds|bytes|events)$/);
    expect(name).not.toMatch(/_(?:ms|milliseconds|kb|percent)\b/);
  },
);
