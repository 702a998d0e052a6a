import { expect, it } from 'vitest';
import { pinsAfter } from './stream-commands.ts';

const pin = (noteId: string, goneIds: readonly string[] = []) => ({
  noteId,
  isPinned: true,
  goneIds,
});
const five = ['a', 'b', 'c', 'd', 'e'];

it('pins a post once and unpins it', () => {
  expect(pinsAfter(undefined, pin('a'))).toEqual(['a']);
  expect(pinsAfter(['a'], pin('b'))).toEqual(['a', 'b']);
  expect(pinsAfter(['a', 'b'], pin('a'))).toEqual(['a', 'b']);
  expect(pinsAfter(['a', 'b'], { ...pin('a'), isPinned: false })).toEqual(['b']);
  expect(pinsAfter(['b'], { ...pin('a'), isPinned: false })).toEqual(['b']);
});

it('rejects pinning a sixth post but accepts a post that is already pinned', () => {
  expect(() => pinsAfter(five, pin('f'))).toThrow('At most 5');
  expect(pinsAfter(five, pin('e'))).toEqual(five);
});

it('does not count deleted posts towards the limit', () => {
  expect(pinsAfter(five, pin('f', ['b']))).toEqual(['a', 'c', 'd', 'e', 'f']);
});
