import path from 'node:path';
import { expect, it } from 'vitest';
import { attributesOf, fieldTypes } from '../../shared/domain/entity/attributes.ts';
import type { FieldType } from '../../shared/domain/entity/entity-definition.ts';
import { renderEntities } from './render-entities.ts';
import { readProjectFile } from './source-files.ts';

const reference = path.resolve(import.meta.dirname, '../../docs/reference');

it('documents the entity types as they are defined', async () => {
  await expect(renderEntities()).toMatchFileSnapshot(path.join(reference, 'entities.md'));
});

it('documents the attributes of every field type, and no other type', () => {
  const rows = [
    ...readProjectFile('docs/reference/fields.md').matchAll(/^\| `(\w+)` \| (.*?) \|/gm),
  ];
  const documented = new Map(rows.map(([, type = '', attributes = '']) => [type, attributes]));
  const defined = fieldTypes.filter((type) => type !== 'secret');
  expect([...documented.keys()].toSorted()).toEqual(defined.toSorted());
  for (const [type, attributes] of documented) {
    const expected = attributesOf('x', { type: type as FieldType, columns: {} }).map(
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
