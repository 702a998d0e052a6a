import path from 'node:path';
import { expect, it } from 'vitest';
import { attributesOf } from '../../shared/domain/field/attributes-of.ts';
import { type FieldDefinition, fieldTypeNames } from '../../shared/domain/field/field-types.ts';
import { renderEntities } from './render-entities.ts';
import { readProjectFile } from './source-files.ts';

const reference = path.resolve(import.meta.dirname, '../../docs/reference');

it('documents the entity types according to their definitions', async () => {
  await expect(renderEntities()).toMatchFileSnapshot(path.join(reference, 'entities.md'));
});

it('documents exactly the existing field types with their attributes', () => {
  const rows = [
    ...readProjectFile('docs/reference/fields.md').matchAll(/^\| `(\w+)` \| (.*?) \|/gm),
  ];
  const documented = new Map(rows.map(([, type = '', attributes = '']) => [type, attributes]));
  const defined = fieldTypeNames.filter((type) => type !== 'secret');
  expect([...documented.keys()].toSorted()).toEqual(defined.toSorted());
  for (const [type, attributes] of documented) {
    const expected = attributesOf('x', { type, columns: {} } as FieldDefinition).map(
      ({ name, kind, writable }) => `\`${name}\` ${jsonTypes[kind]}${writable ? '' : ' (RO)'}`,
    );
    expect(attributes, type).toBe(expected.join(', '));
  }
});

const jsonTypes = {
  string: 'string',
  bool: 'boolean',
  int: 'integer',
  float: 'number',
  decimal: 'decimal string',
  date: 'date',
  datetime: 'time',
  strings: 'list of strings',
  json: 'JSON',
} as const;
