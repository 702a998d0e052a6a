import { expect, it } from 'vitest';
import { judgeAge } from './describe-cluster.ts';

const joinGroup = (maxVersion: number) => ({ 11: { maxVersion } });

it('tells the age of a broker by the requests it takes', () => {
  expect(judgeAge({ ...joinGroup(9), 80: { maxVersion: 0 } })).toBe('tested');
  expect(judgeAge(joinGroup(9))).toBe('untested');
  expect(judgeAge(joinGroup(4))).toBe('too old');
  expect(judgeAge({})).toBe('too old');
});
