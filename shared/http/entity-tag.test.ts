import { describe, expect, it } from 'vitest';
import { parseEntityTags, toEntityTag } from './entity-tag.ts';

describe('entity tags', () => {
  it('carry the version there and back', () => {
    expect(parseEntityTags(toEntityTag(7))).toEqual([{ weak: false, version: 7 }]);
  });

  it('are read from a list, weak ones and those of others too', () => {
    expect(parseEntityTags('"v1", W/"v2" ,"a,b", ""')).toEqual([
      { weak: false, version: 1 },
      { weak: true, version: 2 },
      { weak: false, version: undefined },
      { weak: false, version: undefined },
    ]);
  });

  it('are any with a star', () => {
    expect(parseEntityTags(' * ')).toBe('any');
  });

  it.each(['', 'v7', '"v7', 'v7"', '"v1" "v2"', 'w/"v1"', '"v1",', '*, "v1"', '"v 1"'])(
    'are not read from %j',
    (header) => {
      expect(parseEntityTags(header)).toBeUndefined();
    },
  );
});
