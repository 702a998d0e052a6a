import { describe, expect, it } from 'vitest';
import { mentionAt } from './mention-at.ts';

describe('mentionAt', () => {
  it('returns the mention that ends at the caret', () => {
    expect(mentionAt('Ask @an', 7)).toEqual({ start: 4, typed: 'an' });
    expect(mentionAt('Ask @an today', 7)).toEqual({ start: 4, typed: 'an' });
    expect(mentionAt('@', 1)).toEqual({ start: 0, typed: '' });
    expect(mentionAt('(@müller', 8)).toEqual({ start: 1, typed: 'müller' });
  });

  it('returns undefined elsewhere', () => {
    for (const text of ['', 'Ask', 'joe@an', '@ann ', 'Ask @ann today']) {
      expect(mentionAt(text, text.length), text).toBeUndefined();
    }
    expect(mentionAt('@ann', 0)).toBeUndefined();
  });
});
