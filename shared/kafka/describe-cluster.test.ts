import { expect, it } from 'vitest';
import { classifyAge } from './describe-cluster.ts';

const joinGroup = (maxVersion: number) => ({ 11: { maxVersion } });

it('classifies the age of a broker by its supported requests', () => {
  expect(classifyAge({ ...joinGroup(9), 80: { maxVersion: 0 } })).toBe('tested');
  expect(classifyAge(joinGroup(9))).toBe('untested');
  expect(classifyAge(joinGroup(4))).toBe('too old');
  expect(classifyAge({})).toBe('too old');
});
