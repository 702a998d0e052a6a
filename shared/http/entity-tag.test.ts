import { describe, expect, it } from 'vitest';
import { parseEntityTags, toEntityTag } from './entity-tag.ts';

describe('entity tags', () => {
  it('keep the version when they are written and parsed', () => {
    expect(parseEntityTags(toEntityTag(7))).toEqual([{ weak: false, version: 7 }]);
  });

  it('are parsed from a list, including weak and foreign tags', () => {
    expect(parseEntityTags('"v1", W/"v2" ,"a,b", ""')).toEqual([
      { weak: false, version: 1 },
      { weak: true, version: 2 },
      { weak: false, version: undefined },
      { weak: false, version: undefined },
    ]);
  });

  it('match any version if the header is an asterisk', () => {
    expect(parseEntityTags(' * ')).toBe('any');
  });

  it.each(['', 'v7', '"v7', 'v7"', '"v1" "v2"', 'w/"v1"', '"v1",', '*, "v1"', '"v 1"'])(
    'are not parsed from %j',
    (header) => {
      expect(parseEntityTags(header)).toBeUndefined();
    },
  );
});
