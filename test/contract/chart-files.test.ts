import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findAll, readProjectFile } from './source-files.ts';

type Tree = Readonly<Record<string, unknown>>;

const values: Tree = parse(readProjectFile('infra/chart/values.yaml'));
const schema = JSON.parse(readProjectFile('infra/chart/values.schema.json'));
const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects in the form of Kubernetes, or with names that operators choose. */
const free =
  /^global$|(?:annotations|labels|nodeSelector|affinity|parameters|config|requests|limits)$/;

/** Returns the paths of all values: texts, numbers, lists, empty objects, and objects in the form of Kubernetes. */
function pathsOf(tree: Tree, prefix = ''): readonly string[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const isGroup = isTree(value) && Object.keys(value).length > 0;
    return isGroup && !/(?:resources|labels)$/.test(path) ? pathsOf(value, `${path}.`) : [path];
  });
}

/** Returns copies of the values, each with an unknown key in one of its groups. */
function withUnknownKeys(tree: Tree, path = ''): readonly { path: string; tree: Tree }[] {
  const inside = Object.entries(tree).flatMap(([name, value]) =>
    isTree(value) && !free.test(name)
      ? withUnknownKeys(value, `${path}${name}.`).map((one) => ({
          ...one,
          tree: { ...tree, [name]: one.tree },
        }))
      : [],
  );
  return [...inside, { path: `${path}unknown`, tree: { ...tree, unknown: 1 } }];
}

it('has the same version as Annals', () => {
  const { version } = JSON.parse(readProjectFile('package.json'));
  expect(parse(readProjectFile('infra/chart/Chart.yaml'))).toMatchObject({
    version,
    appVersion: version,
  });
});

it('accepts its own defaults and rejects unknown keys in every group of values', () => {
  expect(isValid(values) ? [] : isValid.errors).toEqual([]);
  const changed = withUnknownKeys(values);
  expect(changed.length).toBeGreaterThan(40);
  const accepted = changed.filter(({ tree }) => isValid(tree)).map(({ path }) => path);
  expect(accepted).toEqual([]);
});

it('documents every value in the README of the chart', () => {
  const rows = findAll(
    [readProjectFile('infra/chart/README.md')],
    /^\| ([\w.]+) \| \w+ \| `.+` \| \S.+ \|$/gm,
  );
  expect(rows).toEqual([...pathsOf(values)].sort());
});

it('allows as settings exactly the variables that the chart does not set itself', () => {
  const listed = findAll(
    [readProjectFile('.env.example')],
    /^((?:API|AUTH|PASSWORD|WEBHOOK)_\w+|ANNALS_(?:WRITE_TIMEOUT|PROXY_PROTOCOL)|LOG_LEVEL|MAIL_FROM|OIDC_ALLOWED_ADDRESSES|PROMETHEUS_URL|PUBLIC_URL|TRUSTED_PROXIES)=/gm,
  );
  expect(Object.keys(schema.properties.settings.properties).sort()).toEqual(listed);
});

it('contains the alerts, the dashboard and the list of routes of the repository', () => {
  for (const [copy, original] of [
    ['alerts.yml', 'observe/alerts.yml'],
    ['dashboard.json', 'observe/grafana/annals.json'],
    ['api-only.lst', 'haproxy/api-only.lst'],
  ])
    expect(readProjectFile(`infra/chart/files/${copy}`)).toBe(readProjectFile(`infra/${original}`));
});
