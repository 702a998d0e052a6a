import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { RandomSource } from '../builders/random-source.ts';

/** Values at the limits of columns, of readers, and of derived values. */
export const oddValues: readonly AttributeValue[] = [
  ...[null, true, false, 0, -0, 1, -1, 1.5, 0.005, 5e-324, 1e308, -1e308, 1e21, 1e-7, 1e13],
  ...[2 ** 31, 2 ** 31 - 1, -(2 ** 31), 1 - 2 ** 31, 2 ** 53, -(2 ** 53), 9_999_999_999_999],
  ...['', ' ', 'x', '0', '-0', '1e308', '5e-324', '1e999', 'NaN', 'Infinity', '9'.repeat(60)],
  ...['2147483647', '-2147483648', '99999999999999.99995', '9999999999999.99995', '.00001'],
  ...['0001-01-01', '0000-01-01', '9999-12-31', '10000-01-01', '-0001-01-01', '2026-02-30'],
  ...['0001-01-01 00:00:00', '9999-12-31 23:59:59', '1950-01-01 00:00:00', '2027-01-01 00:00:00'],
  ...['0001-01-01T00:30:00+01:00', '9999-12-31T23:30:00-01:00', '0001-01-01 BC', 'infinity'],
  ...[
    'USD',
    'JPY',
    'EUR',
    'XXX',
    'a@b.co',
    '+15550100',
    'https://example.org/',
    'Account',
    'Office',
  ],
  ...['\u0000', 'a\u0000b', '\ud83d', '\udc00x', '\uffff', '\u{1f642}', '\u0130'.repeat(255)],
  ...[
    'x'.repeat(255),
    '\u{1f642}'.repeat(127),
    'x'.repeat(100),
    'x'.repeat(4_000),
    '\\',
    '"',
    '{}',
  ],
  ...['__proto__', 'constructor', "'; drop table x; --", '$1', '\\N', '\\.', '\t\n\r'],
  [],
  ['x'],
  ['\u0000'],
  ['\ud83d'],
  ['"', '\\', '{', ',', 'NULL'],
  [''],
  [null],
  [[['x']]],
  ['x'.repeat(100)],
  Array.from({ length: 200 }, (_, index) => `${index}`),
  {},
  { a: '\u0000' },
  { 'a\u0000': 1 },
  { a: { b: [{ c: '\ud83d' }] } },
  { '\ud83d': 1 },
  { a: 5e-324, b: 1e308, c: [null, true, '\u{1f642}'] },
  { '': '' },
  [{ emailAddress: 'a@b.co', primary: true }],
  [{ emailAddress: `${'a'.repeat(64)}@${'b'.repeat(60)}.co`, lower: '\u0000' }],
  [{ phoneNumber: '+15550100', type: 'Office' }],
  [{ phoneNumber: '1'.repeat(15), type: '\u0000' }],
  { x: { role: 'x'.repeat(100) } },
  { x: { role: '\u0000' } },
];

/** Returns one of the odd values, possibly nested in lists or objects at a random depth. */
export function oddValue(random: RandomSource, depth = 3): AttributeValue {
  if (depth === 0 || random.chance(0.8)) return random.pick(oddValues);
  const values = Array.from({ length: random.int(4) }, () => oddValue(random, depth - 1));
  if (random.chance(0.5)) return values;
  return Object.fromEntries(values.map((value) => [random.text(5), value]));
}
