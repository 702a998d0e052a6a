import { expect, it } from 'vitest';
import { deriveName } from './derive-name.ts';

it.each([
  ['Phase', 'phase'],
  ['Phase of build', 'phaseOfBuild'],
  ['Größe (cm)', 'grosseCm'],
  ['2nd Contact', 'ndContact'],
  ['2 Kontakte', 'kontakte'],
  ['№', ''],
])('derives a valid name from the label %s', (label, name) => {
  expect(deriveName(label)).toBe(name);
});
