import { describe, expect, it } from 'vitest';
import { buildEntityModel } from '../entity/model/entity-model.ts';
import { readInput } from '../input/read-input.ts';
import type { AttributeValue } from '../value/attribute-values.ts';
import type { FieldDefinition } from './field-types.ts';

type Case = readonly [attribute: string, given: unknown, kept: AttributeValue];
type Refused = readonly [attribute: string, given: unknown, type: string];

interface TypeTable {
  readonly definition: FieldDefinition;
  readonly kept: readonly Case[];
  readonly refused: readonly Refused[];
  /** Attributes whose values are silently ignored. */
  readonly dropped?: readonly string[];
}

/** The parameters of a problem by its type. */
const parametersByType: Readonly<Record<string, readonly string[]>> = {
  valid: ['form'],
  maxLength: ['maxLength'],
  maxItemLength: ['maxLength'],
  maxCount: ['maxCount'],
  min: ['min'],
  max: ['max'],
  rangeInternal: ['min', 'max'],
  inPermittedRange: ['min', 'max'],
};

const tables: readonly TypeTable[] = [
  {
    definition: { type: 'wysiwyg', maxLength: 10 },
    kept: [
      ['x', '<b> a</b>', '<b> a</b>'],
      ['x', ' ', ' '],
      ['x', '', null],
      ['x', 5, '5'],
    ],
    refused: [
      ['x', 'a'.repeat(11), 'maxLength'],
      ['x', {}, 'valid'],
    ],
  },
  {
    definition: { type: 'checklist', options: ['a', 'b'], maxCount: 2 },
    kept: [
      ['x', ['b', 'a'], ['b', 'a']],
      ['x', null, []],
    ],
    refused: [
      ['x', ['c'], 'valid'],
      ['x', 'a', 'array'],
      ['x', [1], 'arrayOfString'],
      ['x', ['a', 'b', 'a'], 'maxCount'],
      ['x', [''], 'noEmptyString'],
    ],
  },
  {
    definition: { type: 'urlMultiple' },
    kept: [['x', ['https://a.example/b?c', ' d.example '], ['https://a.example/b?c', 'd.example']]],
    refused: [
      ['x', ['not a url'], 'pattern'],
      ['x', ['javascript:alert(1)'], 'pattern'],
      ['x', [`https://a.example/${'a'.repeat(255)}`], 'maxItemLength'],
    ],
  },
  {
    definition: { type: 'array', maxItemLength: 3 },
    kept: [['x', ['abc'], ['abc']]],
    refused: [['x', ['abcd'], 'maxItemLength']],
  },
  {
    definition: { type: 'decimal', min: -5, max: 20_000 },
    kept: [
      ['x', '10.2', '10.2000'],
      ['x', 10.2, '10.2000'],
      ['x', '-0.00004', '0.0000'],
      ['x', '0.00005', '0.0001'],
      ['x', '9999.99995', '10000.0000'],
      ['x', '.5', '0.5000'],
      ['x', '+5.', '5.0000'],
      ['x', 1e-7, '0.0000'],
      ['x', -5, '-5.0000'],
      ['x', ' 007 ', '7.0000'],
      ['x', '', null],
      ['x', null, null],
    ],
    refused: [
      ['x', 'ten', 'valid'],
      ['x', '1e3', 'valid'],
      ['x', 1e30, 'valid'],
      ['x', '12345678901234', 'valid'],
      ['x', '.', 'valid'],
      ['x', true, 'valid'],
      ['x', Number.NaN, 'valid'],
      ['x', [], 'valid'],
      ['x', -5.1, 'min'],
      ['x', '20000.0001', 'max'],
    ],
  },
  {
    definition: { type: 'enumInt', options: ['1', '2'] },
    kept: [
      ['x', '2', 2],
      ['x', 9, 9],
    ],
    refused: [['x', 1.5, 'valid']],
  },
  {
    definition: { type: 'enumFloat', options: ['0.5'] },
    kept: [
      ['x', '0.5', 0.5],
      ['x', 7, 7],
    ],
    refused: [['x', 'half', 'valid']],
  },
  {
    definition: { type: 'number' },
    kept: [],
    refused: [],
    dropped: ['x'],
  },
  {
    definition: { type: 'datetimeOptional' },
    kept: [
      ['x', '2030-01-31 10:00', '2030-01-31 10:00:00'],
      ['x', '2030-01-31T10:00:00+02:00', '2030-01-31 08:00:00'],
      ['xDate', '2030-01-31', '2030-01-31'],
      ['xDate', '2030-01-31T10:00:00Z', '2030-01-31'],
      ['xDate', null, null],
    ],
    refused: [
      ['x', '2030-02-31 10:00', 'valid'],
      ['xDate', 'tomorrow', 'valid'],
    ],
  },
  {
    definition: { type: 'duration', start: 'a', end: 'b' },
    kept: [
      ['x', '300', 300],
      ['x', null, null],
    ],
    refused: [
      ['x', -1, 'min'],
      ['x', 1.5, 'valid'],
      ['x', 3_000_000_000, 'rangeInternal'],
    ],
  },
  {
    definition: { type: 'linkParent', entityList: ['Account', 'Lead'] },
    kept: [
      ['xId', 'a', 'a'],
      ['xType', 'Lead', 'Lead'],
      ['xType', '', null],
    ],
    refused: [
      ['xType', 'User', 'valid'],
      ['xId', 'a b', 'pattern'],
    ],
    dropped: ['xName'],
  },
  {
    definition: { type: 'linkOne', entityType: 'Lead' },
    kept: [],
    refused: [],
    dropped: ['xId', 'xName'],
  },
  {
    definition: {
      type: 'linkMultiple',
      entityType: 'Account',
      maxCount: 1,
      columns: {
        role: { type: 'varchar', maxLength: 3 },
        kind: { type: 'enum', options: ['a'] },
        isInactive: { type: 'bool' },
      },
    },
    kept: [
      [
        'xColumns',
        { a: { role: ' CEO ', isInactive: '1' } },
        { a: { role: 'CEO', isInactive: true } },
      ],
      ['xColumns', { a: { other: 1, role: null } }, { a: { role: null } }],
      ['xColumns', { a: [] }, { a: {} }],
      ['xColumns', [], {}],
      ['xColumns', null, {}],
    ],
    refused: [
      ['xColumns', 'a', 'columnsValid'],
      ['xColumns', ['a'], 'columnsValid'],
      ['xColumns', { a: 'CEO' }, 'columnsValid'],
      ['xColumns', { a: { role: 'Chief' } }, 'columnsValid'],
      ['xColumns', { a: { kind: 'b' } }, 'columnsValid'],
      ['xColumns', { a: { isInactive: {} } }, 'columnsValid'],
      ['xColumns', { 'a b': {} }, 'columnsValid'],
      ['xIds', ['a', 'b'], 'maxCount'],
    ],
    dropped: ['xNames'],
  },
  {
    definition: { type: 'jsonArray' },
    kept: [
      ['x', [1, { a: null }], [1, { a: null }]],
      ['x', null, null],
    ],
    refused: [
      ['x', {}, 'valid'],
      ['x', ['\0'], 'valid'],
    ],
  },
  {
    definition: { type: 'barcode' },
    kept: [['x', 4_006_381_333_931, '4006381333931']],
    refused: [['x', '1'.repeat(256), 'maxLength']],
  },
  {
    definition: { type: 'colorpicker' },
    kept: [['x', ' #aabbcc ', '#aabbcc']],
    refused: [['x', '#aabbccd', 'maxLength']],
  },
  {
    definition: { type: 'currencyConverted', amount: 'a' },
    kept: [],
    refused: [],
    dropped: ['x'],
  },
  {
    definition: { type: 'rangeInt', min: 0, max: 9 },
    kept: [
      ['fromX', '1', 1],
      ['toX', null, null],
    ],
    refused: [
      ['fromX', -1, 'min'],
      ['toX', 10, 'max'],
      ['toX', 'x', 'valid'],
    ],
  },
  {
    definition: { type: 'rangeFloat', min: 0 },
    kept: [['toX', '1.5', 1.5]],
    refused: [['fromX', -0.1, 'min']],
  },
  {
    definition: { type: 'rangeCurrency', min: 0 },
    kept: [
      ['fromX', '1.5', 1.5],
      ['fromXCurrency', 'USD', 'USD'],
    ],
    refused: [
      ['toX', -1, 'min'],
      ['toX', 1e14, 'inPermittedRange'],
      ['toXCurrency', 'XX', 'validCurrency'],
    ],
    dropped: ['fromXConverted'],
  },
];

describe.each(tables.map((table) => [table.definition.type, table] as const))('%s', (_, table) => {
  const model = buildEntityModel({
    name: 'Thing',
    fields: { x: table.definition },
    orderBy: 'createdAt',
    order: 'desc',
    log: 'records',
    isObject: false,
  });
  const read = (attribute: string, given: unknown) =>
    readInput(model, { [attribute]: given }, 'create');

  it('accepts valid values', () => {
    for (const [attribute, given, kept] of table.kept) {
      expect(read(attribute, given)).toEqual({
        values: { [attribute]: kept },
        problems: [],
        unknown: [],
      });
    }
  });

  it('rejects invalid values with the validation name that clients expect', () => {
    for (const [attribute, given, type] of table.refused) {
      expect(read(attribute, given)).toMatchObject({
        values: {},
        problems: [{ field: 'x', type }],
        unknown: [],
      });
    }
  });

  it('reports the failing attribute and the values for a translated text', () => {
    for (const [attribute, given, type] of table.refused) {
      const [problem] = read(attribute, given).problems;
      expect(problem?.attribute?.replace(/\..*/, '')).toBe(attribute);
      const expected = parametersByType[type];
      if (expected === undefined) expect(problem).not.toHaveProperty('parameters');
      else expect(Object.keys(problem?.parameters ?? {})).toEqual(expected);
    }
  });

  it('ignores attributes that only Annals sets', () => {
    for (const attribute of table.dropped ?? []) {
      expect(read(attribute, {})).toEqual({ values: {}, problems: [], unknown: [] });
    }
  });
});
