import { describe, expect, it } from 'vitest';
import { findRoutes } from '../../infra/console/find-routes.ts';
import { metricDefinitions } from '../../shared/runtime/metric-definitions.ts';
import { readAlertRules, readBoard, readYaml } from '../support/observe-files.ts';
import { findAll, readProjectFile } from './source-files.ts';

const rules = readAlertRules();
const runbook = readProjectFile('docs/operations/runbook.md');
const definitions: Readonly<Record<string, { readonly labels: readonly string[] }>> =
  metricDefinitions;

/** Returns the name of the metric that a series belongs to. */
const baseOf = (name: string): string =>
  definitions[name] === undefined ? name.replace(/_(?:bucket|count|sum)$/, '') : name;

/** Returns the section of an alert in the runbook. */
function sectionOf(alert: string): string {
  const [, section = ''] = runbook.split(`\n## ${alert}\n`);
  return section.split('\n## ', 1)[0] ?? '';
}

/** Returns the names of labels in braces and after `by`. */
function labelsIn(expr: string): readonly string[] {
  const matchers = [...expr.matchAll(/([a-z_]+)\s*(?:=~|!=|!~|=)\s*"/g)];
  const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  return [...matchers.map(([, label = '']) => label), ...groups];
}

describe('the alert rules', () => {
  it.each(rules)('$alert has a valid name, duration, severity, summary and runbook URL', (rule) => {
    const { alert, expr, labels, annotations } = rule;
    expect(alert).toMatch(/^Annals[A-Z][A-Za-z]+$/);
    expect(rule.for).toMatch(/^\d+[smh]$/);
    expect(['critical', 'warning']).toContain(labels['severity']);
    expect(annotations['summary']?.length).toBeGreaterThan(10);
    expect(annotations['runbook_url']).toBe(
      `{{ or $externalLabels.annals_docs "docs" }}/operations/runbook.md#${alert.toLowerCase()}`,
    );
    for (const [open, close] of ['()', '{}', '[]'].map((pair) => [...pair])) {
      expect(expr.split(String(open)).length).toBe(expr.split(String(close)).length);
    }
  });

  it.each(rules)('$alert has a complete section in the runbook', ({ alert, expr }) => {
    const section = sectionOf(alert);
    for (const part of ['**Symptom**', '**Meaning**', '**Look at**', '**Do**']) {
      expect(section).toContain(part);
    }
    expect(section.replaceAll(/\s+/g, ' ')).toContain(expr);
    expect(section).toContain('npm run annals -- ');
  });

  it('correspond to the sections of the runbook', () => {
    const headings = findAll([runbook], /^## (.*)$/gm);
    expect(headings).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  it('use only existing metrics and their labels', () => {
    const foreign = /^(?:up|nodejs_|process_|haproxy_)/;
    for (const { alert, expr, metrics } of rules) {
      const own = metrics.filter((name) => !foreign.test(name));
      const labels = new Set(own.flatMap((name) => definitions[baseOf(name)]?.labels ?? []));
      expect({ alert, unknown: own.filter((name) => !(baseOf(name) in definitions)) }).toEqual({
        alert,
        unknown: [],
      });
      const given = new Set([...labels, 'job', 'instance', 'le', 'proxy', 'server', 'state']);
      expect({ alert, labels: labelsIn(expr).filter((label) => !given.has(label)) }).toEqual({
        alert,
        labels: [],
      });
    }
  });

  it('cover the metrics that operators rely on', () => {
    const covered = new Set(rules.flatMap(({ metrics }) => metrics.map(baseOf)));
    for (const name of [
      'annals_ready',
      'annals_http_request_duration_seconds',
      'annals_build_info',
      'annals_front_target_alive',
      'annals_projector_interruptions_total',
      'annals_webhook_open_breakers',
      'process_resident_memory_bytes',
      'annals_projector_lag_seconds',
      'annals_writer_fences_total',
      'annals_storage_low',
      'annals_projector_rejected_entries_total',
      'annals_webhook_dead_letters_total',
      'annals_webhook_oldest_waiting_seconds',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(covered).toContain(name);
    }
  });
});

describe('the alerts on requests', () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr ?? '';
  /** Like Prometheus, requires the whole value to match. */
  const patternIn = (expr: string, operator: string): RegExp =>
    new RegExp(`^(?:${new RegExp(`route${operator}"([^"]*)"`).exec(expr)?.[1]})$`);

  it('count only API routes', async () => {
    const routes = [...new Set((await findRoutes()).routes.map(({ url }) => url))];
    for (const expr of [exprOf('AnnalsErrorRate'), exprOf('AnnalsLatency')]) {
      const counted = routes.filter((url) => patternIn(expr, '=~').test(url));
      expect(counted).toEqual(routes.filter((url) => url.startsWith('/api/v1/')));
      expect(counted.length).toBeGreaterThan(50);
      // Every selector of the expression restricts the route.
      expect(expr.split('annals_http_').length).toBe(expr.split('route=~').length);
    }
  });

  it('exclude routes with a client-dependent duration from AnnalsLatency', async () => {
    const excluded = patternIn(exprOf('AnnalsLatency'), '!~');
    const routes = (await findRoutes()).routes.filter(({ url }) => excluded.test(url));
    expect(new Set(routes.map(({ method, url }) => `${method} ${url}`))).toEqual(
      new Set([
        'POST /api/v1/Attachment',
        'POST /api/v1/attachments',
        'GET /api/v1/Attachment/file/:id',
        'HEAD /api/v1/Attachment/file/:id',
        'POST /api/v1/Export',
        'POST /api/v1/MassAction',
        'POST /api/v1/User/passwordChangeRequest',
      ]),
    );
  });
});

describe('the dashboard', () => {
  it('uses only existing metrics and at least one per panel', () => {
    const panels = readBoard();
    expect(panels.length).toBeGreaterThan(20);
    for (const { title, metrics } of panels) {
      expect({ title, count: metrics.length > 0 }).toEqual({ title, count: true });
      const own = metrics.filter((name) => name.startsWith('annals_'));
      expect(own.filter((name) => !(baseOf(name) in definitions))).toEqual([]);
    }
  });
});

describe('the Grafana provisioning', () => {
  it('provides the dashboard and its data source', () => {
    const { datasources }: { readonly datasources: readonly { readonly type: string }[] } =
      readYaml('grafana/provisioning/datasources/prometheus.yml');
    expect(datasources.map(({ type }) => type)).toEqual(['prometheus']);
    const { providers }: { readonly providers: readonly { readonly type: string }[] } = readYaml(
      'grafana/provisioning/dashboards/annals.yml',
    );
    expect(providers.map(({ type }) => type)).toEqual(['file']);
  });
});

describe('the Prometheus configuration', () => {
  it('loads the rules and scrapes every service', () => {
    const {
      rule_files,
      scrape_configs,
    }: {
      readonly rule_files: readonly string[];
      readonly scrape_configs: readonly {
        readonly job_name: string;
        readonly dns_sd_configs: readonly { readonly names: readonly string[] }[];
        readonly relabel_configs: readonly object[];
      }[];
    } = readYaml('prometheus.yml');
    expect(rule_files).toEqual(['alerts.yml']);
    expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(['annals']);
    const names = scrape_configs.flatMap((job) => job.dns_sd_configs.flatMap((it) => it.names));
    expect(names).toEqual(
      expect.arrayContaining(['api', 'projector', 'dispatcher', 'api-1', 'query-1', 'haproxy']),
    );
    // Containers of one service share a name, so the address distinguishes their series.
    expect(scrape_configs[0]?.relabel_configs).toEqual([
      {
        source_labels: ['__meta_dns_name', '__address__'],
        separator: ' at ',
        target_label: 'instance',
      },
    ]);
  });
});
