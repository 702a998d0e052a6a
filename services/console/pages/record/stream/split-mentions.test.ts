import { describe, expect, it } from 'vitest';
import { readMentions, splitMentions } from './split-mentions.ts';

const mentions = readMentions({
  mentions: { '@ann': { id: 'u1', name: 'Ann' }, '@a.b': { id: 'u2' }, '@odd': {}, '@none': null },
});

describe('splitMentions', () => {
  it('returns the mentioned users and the text between them', () => {
    expect(splitMentions('Ask @ann, or @a.b.', mentions)).toEqual([
      { text: 'Ask ' },
      { text: '@ann', userId: 'u1' },
      { text: ', or ' },
      { text: '@a.b', userId: 'u2' },
      { text: '.' },
    ]);
    expect(splitMentions('', mentions)).toEqual([]);
  });

  it('leaves other names and e-mail addresses as text', () => {
    for (const text of ['joe@ann', '@anna', '@odd', '@none', '@constructor']) {
      expect(splitMentions(text, mentions)).toEqual([{ text }]);
    }
    expect(readMentions({})).toEqual({});
    expect(readMentions({ mentions: 'x' })).toEqual({});
  });
});
