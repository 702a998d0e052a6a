import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { becauseOf } from '../support/docker-obstacle.ts';
import { readAlertRules, readYaml } from '../support/observe-files.ts';

const directory = path.resolve(import.meta.dirname, '../../infra/observe');
const options = { timeout: 60_000 };
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const obstacle = hasPromtool
  ? undefined
  : 'promtool is not installed; Debian: apt-get install prometheus';

function promtool(...args: readonly string[]): { readonly status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd: directory,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

interface RuleCheck {
  readonly alertname: string;
  readonly exp_alerts: readonly object[];
}

it('covers every alert with tests that expect it to fire and to stay silent', () => {
  const { tests }: { readonly tests: readonly { readonly alert_rule_test: RuleCheck[] }[] } =
    readYaml('alerts.test.yml');
  const checks = tests.flatMap((test) => test.alert_rule_test);
  const namesOf = (some: readonly RuleCheck[]) =>
    [...new Set(some.map(({ alertname }) => alertname))].toSorted();
  const alerts = readAlertRules().map(({ alert }) => alert);
  expect(namesOf(checks.filter((check) => check.exp_alerts.length > 0))).toEqual(alerts.toSorted());
  expect(namesOf(checks.filter((check) => check.exp_alerts.length === 0))).toEqual(
    alerts.toSorted(),
  );
});

describe.skipIf(obstacle !== undefined)(`promtool${becauseOf(obstacle)}`, () => {
  it('passes the tests of the alert rules', options, () => {
    const { status, output } = promtool('test', 'rules', 'alerts.test.yml');
    expect(output).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  it('accepts the Prometheus configuration', options, () => {
    const { status, output } = promtool('check', 'config', 'prometheus.yml');
    expect(output).toContain('is valid prometheus config file');
    expect(status).toBe(0);
  });
});
