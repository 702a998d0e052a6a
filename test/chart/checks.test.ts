import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { becauseOf } from '../support/docker-obstacle.ts';
import {
  type Provided,
  provideDecoder,
  provideGoProgram,
  provideHelms,
  provideSchemas,
} from './chart-programs.ts';
import { chart, renderText } from './render-chart.ts';
import { valueSets } from './value-sets.ts';

const { helm, obstacle: noHelm } = await provideHelms();
const [kubeconform, kubeScore, helmDocs, decoder, schemas] = [
  await provideGoProgram('kubeconform'),
  await provideGoProgram('kube-score'),
  await provideGoProgram('helm-docs'),
  await provideDecoder(),
  await provideSchemas(),
];
const options = { timeout: 60_000 };

const pathOf = (provided: Provided): string => ('path' in provided ? provided.path : '');
const obstacleOf = (...needed: readonly Provided[]): string | undefined =>
  noHelm ?? needed.flatMap((one) => ('obstacle' in one ? [one.obstacle] : []))[0];

function run(program: string, args: readonly string[], input: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** Custom resources, whose schemas are not in the package with the schemas of Kubernetes. */
const customKinds = [
  'Cluster',
  'HTTPRoute',
  'Kafka',
  'KafkaNodePool',
  'KafkaTopic',
  'KafkaUser',
  'Pooler',
  'PrometheusRule',
  'ScaledObject',
  'ServiceMonitor',
];

/** Checks of kube-score that do not apply. */
const ignored = [
  // Releases have tags that never change.
  'container-image-pull-policy',
  // The user of the image, 1000.
  'container-security-context-user-group-id',
  // The pods are spread by topologySpreadConstraints.
  'deployment-has-host-podantiaffinity',
  // Autoscaling or maintenance sets the number.
  'deployment-replicas',
];
// A limit would delay requests while other cores are idle.
const scoreOptions = ['--output-format=ci', '--ignore-container-cpu-limit'];

const noConform = obstacleOf(kubeconform, schemas);
describe.skipIf(noConform !== undefined)(`kubeconform${becauseOf(noConform)}`, options, () => {
  it.each(Object.keys(valueSets))('accepts every object of Kubernetes: %s', async (name) => {
    const text = await renderText(helm, valueSets[name] ?? {});
    const schema = join(pathOf(schemas), '{{ .ResourceKind }}{{ .KindSuffix }}.json');
    const args = [
      '-strict',
      '-summary',
      '-schema-location',
      schema,
      '-skip',
      customKinds.join(','),
    ];
    const { status, output } = run(pathOf(kubeconform), [...args, '-'], text);
    expect(output).toContain('Invalid: 0, Errors: 0');
    expect(status).toBe(0);
  });
});

const noDecoder = obstacleOf(decoder);
describe.skipIf(noDecoder !== undefined)(`Go types${becauseOf(noDecoder)}`, options, () => {
  it('have every field of the custom resources that other projects define', async () => {
    const text = await renderText(helm, valueSets['everything'] ?? {});
    const { status, output } = run(pathOf(decoder), [], text);
    expect(output.trim().split('\n').toSorted()).toEqual([
      'HTTPRoute annals-api: valid',
      'PrometheusRule annals-alerts: valid',
      'ServiceMonitor annals-internal: valid',
    ]);
    expect(status).toBe(0);
  });
});

const noScore = obstacleOf(kubeScore);
describe.skipIf(noScore !== undefined)(`kube-score${becauseOf(noScore)}`, options, () => {
  it.each(['external', 'everything', 'maintenance'])('finds nothing critical: %s', async (name) => {
    const networkPolicy = { egress: { enabled: true } };
    const text = await renderText(helm, { ...valueSets[name], networkPolicy });
    const args = ['score', ...scoreOptions, ...ignored.flatMap((one) => ['--ignore-test', one])];
    const { output } = run(pathOf(kubeScore), [...args, '-'], text);
    expect(output).toContain('[OK]');
    expect(output.split('\n').filter((line) => /^\[(?:CRITICAL|WARNING)\]/.test(line))).toEqual([]);
  });
});

describe.skipIf(noHelm !== undefined)(`helm lint${becauseOf(noHelm)}`, options, () => {
  it('finds nothing to improve', async () => {
    const version = ['--kube-version', '1.35.0'];
    const args = [
      'lint',
      chart,
      ...version,
      '--strict',
      '--quiet',
      '--set',
      'kafka.brokers={kafka:9092}',
    ];
    const postgres = ['--set', 'postgres.existingSecret.name=postgres'];
    const { stdout } = await promisify(execFile)(helm, [...args, ...postgres]);
    expect(stdout).not.toMatch(/ERROR|WARNING/);
  });
});

const noDocs = obstacleOf(helmDocs);
describe.skipIf(noDocs !== undefined)(`helm-docs${becauseOf(noDocs)}`, options, () => {
  it('generates the README of the chart', () => {
    const args = ['--chart-search-root', chart, '--sort-values-order', 'file', '--dry-run'];
    const { stdout } = spawnSync(pathOf(helmDocs), args, { encoding: 'utf8' });
    expect(`${stdout.trimEnd()}\n`).toBe(readFileSync(join(chart, 'README.md'), 'utf8'));
  });
});
