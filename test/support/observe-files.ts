import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Names of metrics in its expression. */
  readonly metrics: readonly string[];
}

const root = join(import.meta.dirname, '..', '..');
const directory = join(root, 'infra', 'observe');
const metricName = /\b(?:annals|nodejs|process)_[a-z0-9_]+|\bup\b/g;

/** Reads all rules of the alert file. */
export function readAlertRules(): readonly AlertRule[] {
  const { groups }: { groups: readonly { readonly rules: readonly AlertRule[] }[] } =
    readYaml('alerts.yml');
  return groups
    .flatMap(({ rules }) => rules)
    .map((rule) => ({ ...rule, metrics: namesIn(rule.expr) }));
}

export interface BoardPanel {
  readonly title: string;
  readonly expressions: readonly string[];
  readonly metrics: readonly string[];
}

/** Reads all panels of the Grafana dashboard. */
export function readBoard(): readonly BoardPanel[] {
  const text = readFileSync(join(directory, 'grafana', 'annals.json'), 'utf8');
  const {
    panels,
  }: {
    panels: readonly { readonly title: string; readonly targets: readonly { expr: string }[] }[];
  } = JSON.parse(text);
  return panels.map(({ title, targets }) => ({
    title,
    expressions: targets.map(({ expr }) => expr),
    metrics: targets.flatMap(({ expr }) => namesIn(expr)),
  }));
}

/** Reads the readiness checks of each service from docs/operations/observe.md. */
export function documentedChecks(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(root, 'docs', 'operations', 'observe.md'), 'utf8');
  const rows = [...text.matchAll(/^\| ([a-z, ]+) \| (`[a-zA-Z]+`(?:, `[a-zA-Z]+`)*) \|/gm)];
  return new Map(
    rows.flatMap(([, services = '', checks = '']) =>
      services.split(', ').map((service) => [service, checks.replaceAll('`', '').split(', ')]),
    ),
  );
}

export function readYaml<Content>(file: string): Content {
  return parse(readFileSync(join(directory, file), 'utf8'));
}

function namesIn(expr: string): readonly string[] {
  // Label values are not metric names.
  return [...expr.replaceAll(/"[^"]*"/g, '""').matchAll(metricName)].map(([name]) => name);
}
