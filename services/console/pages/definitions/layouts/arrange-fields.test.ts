import { expect, it } from 'vitest';
import type { LayoutPanel } from '../../../api/layouts.ts';
import { moveField, neighbour, removeField, unusedFields } from './arrange-fields.ts';

const panels: readonly LayoutPanel[] = [
  { label: 'One', fields: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
  { label: 'Two', fields: [{ name: 'd' }] },
];
const names = (some: readonly LayoutPanel[]) =>
  some.map(({ fields }) => fields.map(({ name }) => name).join(''));

it.each([
  ['down in its panel', { panel: 0, at: 0 }, { panel: 0, at: 2 }, ['bac', 'd']],
  ['up in its panel', { panel: 0, at: 2 }, { panel: 0, at: 0 }, ['cab', 'd']],
  ['to its own place', { panel: 0, at: 1 }, { panel: 0, at: 1 }, ['abc', 'd']],
  ['to the end of its panel', { panel: 0, at: 0 }, { panel: 0, at: 3 }, ['bca', 'd']],
  ['to another panel', { panel: 0, at: 1 }, { panel: 1, at: 1 }, ['ac', 'db']],
  ['nowhere if the panel is missing', { panel: 0, at: 1 }, { panel: 2, at: 0 }, ['abc', 'd']],
])('moves a field %s', (_where, from, to, expected) => {
  expect(names(moveField(panels, from, to))).toEqual(expected);
});

it.each([
  ['up', { panel: 0, at: 1 }, ['bac', 'd']],
  ['down', { panel: 0, at: 1 }, ['acb', 'd']],
  ['up', { panel: 1, at: 0 }, ['abcd', '']],
  ['down', { panel: 0, at: 2 }, ['ab', 'cd']],
] as const)('moves a field one place %s', (direction, from, expected) => {
  const to = neighbour(panels, from, direction);
  expect(to && names(moveField(panels, from, to))).toEqual(expected);
});

it('does not move the first field up or the last field down', () => {
  expect(neighbour(panels, { panel: 0, at: 0 }, 'up')).toBeUndefined();
  expect(neighbour(panels, { panel: 1, at: 0 }, 'down')).toBeUndefined();
});

it('offers removed fields again', () => {
  const left = removeField(panels, { panel: 0, at: 1 });
  expect(unusedFields(left, ['a', 'b', 'c', 'd', 'e'])).toEqual(['b', 'e']);
});
