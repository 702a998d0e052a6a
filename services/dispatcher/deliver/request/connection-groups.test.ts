import { expect, test } from 'vitest';
import { createConnectionGroups } from './connection-groups.ts';

test('requests of an origin fill the first group with a free place', () => {
  const groups = createConnectionGroups(2);
  const enter = () => groups.enter('https://a.example');
  expect([enter(), enter(), enter(), enter(), enter()]).toEqual([0, 0, 1, 1, 2]);
  groups.leave('https://a.example', 1);
  groups.leave('https://a.example', 0);
  expect([enter(), enter(), enter(), enter()]).toEqual([0, 1, 2, 3]);
});

test('each origin has separate groups, which start at 0 again when no request is running', () => {
  const groups = createConnectionGroups(1);
  expect([groups.enter('https://a.example'), groups.enter('https://b.example')]).toEqual([0, 0]);
  groups.leave('https://a.example', 0);
  expect([groups.enter('https://a.example'), groups.enter('https://a.example')]).toEqual([0, 1]);
});
