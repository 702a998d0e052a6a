import { expect, test } from 'vitest';
import { createConnectionGroups } from './connection-groups.ts';

test('requests to an origin fill one group after the other, and first what became free', () => {
  const groups = createConnectionGroups(2);
  const enter = () => groups.enter('https://a.example');
  expect([enter(), enter(), enter(), enter(), enter()]).toEqual([0, 0, 1, 1, 2]);
  groups.leave('https://a.example', 1);
  groups.leave('https://a.example', 0);
  expect([enter(), enter(), enter(), enter()]).toEqual([0, 1, 2, 3]);
});

test('origins have groups of their own, and begin anew when nothing is under way', () => {
  const groups = createConnectionGroups(1);
  expect([groups.enter('https://a.example'), groups.enter('https://b.example')]).toEqual([0, 0]);
  groups.leave('https://a.example', 0);
  expect([groups.enter('https://a.example'), groups.enter('https://a.example')]).toEqual([0, 1]);
});
