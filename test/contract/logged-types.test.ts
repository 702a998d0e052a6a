import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import german from '../../services/console/pages/log/internal-types.de.json' with { type: 'json' };
import english from '../../services/console/pages/log/internal-types.en.json' with { type: 'json' };
import { labelLanguages } from '../../shared/domain/entity/labels/labels.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';

const root = join(import.meta.dirname, '..', '..');

/** The entity types of the log that the code names, such as `export const authTokenType = 'AuthToken'`. */
function namedTypes(): readonly string[] {
  const sources = globSync('{shared,services}/**/*.ts', {
    cwd: root,
    exclude: ['services/console/**', '**/*.test.ts'],
  });
  return sources.flatMap((path) =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(/^export const \w+Type = '([A-Z]\w+)'/gm),
    ].map(([, name = '']) => name),
  );
}

const types = new Set([...namedTypes(), ...stockDefinitions.map(({ name }) => name)]);

describe.each([
  ['English', english],
  ['German', german],
])('the log in %s', (_language, texts) => {
  it('names every type of entries that the API does not name', () => {
    const isNamed = (type: string) => type in texts.types || type in labelLanguages.de.types;
    expect([...types].filter((type) => !isNamed(type))).toEqual([]);
  });

  it('names every attribute of internal types', () => {
    const internal = stockDefinitions.filter(({ isInternal }) => isInternal === true);
    const attributes = internal.flatMap(({ fields }) =>
      Object.entries(fields).map(([name, { type }]) => (type === 'link' ? `${name}Id` : name)),
    );
    expect(attributes.filter((name) => !(name in texts.attributes))).toEqual([]);
  });
});
