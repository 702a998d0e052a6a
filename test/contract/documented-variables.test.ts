import { expect, it } from 'vitest';
import { findAll, readProjectFile, readSources } from './source-files.ts';

const readByName = /(?:read\.\w+|text|instances)(?:<[^>]*>)?\(\s*'([A-Z][A-Z_]+)'/g;
const readDirectly = /env\['([A-Z][A-Z_]+)'\]/g;
/** Of the machine or of other programs: Annals does not define them. */
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

it('lists every variable that is read in .env.example, and no other', () => {
  const read = [
    ...findAll(readSources('services', 'shared', 'infra'), readByName),
    ...findAll(readSources('infra'), readDirectly),
  ];
  const listed = findAll([readProjectFile('.env.example')], /^([A-Z][A-Z_]+)=/gm);
  const own = (names: readonly string[]) =>
    [...new Set(names)].filter((name) => !foreign.has(name)).sort();
  expect(own(listed)).toEqual(own(read));
});

it('passes on to containers what an operator may set of the services', () => {
  const compose = readProjectFile('docker-compose.yml');
  const passed = findAll([compose], /^ {2}([A-Z][A-Z_]+):$/gm);
  const listed = findAll(
    [readProjectFile('.env.example')],
    /^((?:WEBHOOK|API|AUTH|KAFKA_TLS|KAFKA_SASL)[A-Z_]*)=/gm,
  );
  expect(listed.length).toBeGreaterThan(15);
  expect(passed).toEqual(expect.arrayContaining([...listed, 'LOG_LEVEL', 'TRUSTED_PROXIES']));
});
