import { expect, it } from 'vitest';
import { findAll, readProjectFile, readSources } from './source-files.ts';

const readByName =
  /(?:read\.\w+\(|(?:text|instances)(?:<[^>]*>)?\(|readAllowed\(read,)\s*'([A-Z][A-Z_]+)'/g;
const readDirectly = /env\['([A-Z][A-Z_]+)'\]/g;
/** Variables of the machine or of other programs, which Annals does not define. */
const foreign = new Set([
  'CI',
  'DOCKER_HOST',
  'HOME',
  'NO_COLOR',
  'PATH',
  'TERM',
  'USER',
  'JAVA_HOME',
  'XDG_CACHE_HOME',
]);

it('lists in .env.example exactly the variables that the code reads', () => {
  const read = [
    ...findAll(readSources('services', 'shared', 'infra'), readByName),
    ...findAll(readSources('infra'), readDirectly),
  ];
  const listed = findAll([readProjectFile('.env.example')], /^([A-Z][A-Z_]+)=/gm);
  const own = (names: readonly string[]) =>
    [...new Set(names)].filter((name) => !foreign.has(name)).sort();
  expect(own(listed)).toEqual(own(read));
});

it('passes the settings of the services on to containers', () => {
  const compose = readProjectFile('docker-compose.yml');
  const passed = findAll([compose], /^ {2}([A-Z][A-Z_]+):$/gm);
  const listed = findAll(
    [readProjectFile('.env.example')],
    /^((?:WEBHOOK|API|AUTH|FILES|KAFKA_TLS|MAIL|OIDC|PASSWORD|SMTP|STORAGE_FLOOR|PROMETHEUS_URL|PUBLIC_URL)[A-Z_]*)=/gm,
  );
  expect(listed.length).toBeGreaterThan(15);
  expect(passed).toEqual(expect.arrayContaining([...listed, 'LOG_LEVEL', 'TRUSTED_PROXIES']));
});

/**
 * Matches `read.int('NAME', { fallback: 5, …`, `read.text('NAME', 'value')`, `read.choice('LOG_LEVEL', levels,
 * 'info')`.
 */
const readWithDefault =
  /read\.\w+(?:<[^>]*>)?\(\s*'([A-Z][A-Z_]+)',\s*(?:\w+,\s*)?(?:\{\s*fallback:\s*)?('[^']*'|[\d_]+|true|false|\[\])/g;
/** Matches `text('NAME') ?? 5`, `env['NAME'] || 'value'`. */
const elseDefault = /(?:text\(|env\[)'([A-Z][A-Z_]+)'[)\]]\s*(?:\?\?|\|\|)\s*('[^']*'|[\d_]+)/g;

/** Converts a literal of the code to its form in .env.example. */
const asWritten = (code: string): string =>
  /^\d/.test(code) ? code.replaceAll('_', '') : code.replaceAll(/^'|'$|^\[\]$/g, '');

function defaultsInCode(): ReadonlyMap<string, readonly string[]> {
  const sources = readSources('services', 'shared', 'infra');
  const found = [readWithDefault, elseDefault].flatMap((pattern) =>
    sources.flatMap((text) => [...text.matchAll(pattern)]),
  );
  const byName = Map.groupBy(found, ([, name = '']) => name);
  return new Map(
    [...byName].map(([name, ones]) => [
      name,
      [...new Set(ones.map(([, , code = '']) => asWritten(code)))],
    ]),
  );
}

it('lists the defaults of the code in .env.example', () => {
  const example = readProjectFile('.env.example');
  const given = [...example.matchAll(/^([A-Z][A-Z_]+)=(.*)$/gm)];
  const listed = new Map(given.map(([, name = '', value = '']) => [name, value]));
  const inCode = [...defaultsInCode()].filter(([name]) => !foreign.has(name));
  expect(inCode.length).toBeGreaterThan(30);
  expect(inCode).toEqual(inCode.map(([name]) => [name, [listed.get(name)]]));
  const known = new Set(inCode.map(([name]) => name));
  const counted = /^ANNALS_\w+_INSTANCES$/;
  const unknown = [...listed].filter(
    ([name, value]) => value !== '' && !known.has(name) && !counted.test(name),
  );
  expect(unknown).toEqual([]);
});
