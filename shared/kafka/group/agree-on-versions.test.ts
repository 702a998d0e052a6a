import { describe, expect, it } from 'vitest';
import { baselineVersions } from '../../events/schema-versions.ts';
import { nextVersions } from './agree-on-versions.ts';

const own = { ...baselineVersions, 'record-event': 4, 'webhook-batch': 5 };
const before = baselineVersions;

describe('the versions to write', () => {
  it('are the newest that this process and all members of all groups read', () => {
    const told = [[{ ...own, 'record-event': 3 }, own], [own]];
    expect(nextVersions(before, told, own)).toEqual({ ...own, 'record-event': 3 });
  });

  it('are at most those of this process, whatever others read', () => {
    const told = [[{ ...own, 'record-event': 9 }]];
    expect(nextVersions(before, told, own)).toEqual(own);
  });

  it('go back when a member is there that reads less', () => {
    expect(nextVersions(own, [[own], [baselineVersions]], own)).toEqual(baselineVersions);
  });

  it('are those of before for members that tell nothing, or nothing of a schema', () => {
    expect(nextVersions(own, [[own, undefined]], own)).toEqual(baselineVersions);
    expect(nextVersions(own, [[{ 'record-event': 4 }]], own)).toEqual({
      ...own,
      'webhook-batch': baselineVersions['webhook-batch'],
    });
  });

  it('get no newer, nor older, while a group tells nothing', () => {
    expect(nextVersions(before, [[own], undefined], own)).toEqual(before);
    expect(nextVersions(own, [[own], undefined], own)).toEqual(own);
    expect(nextVersions(own, [[baselineVersions], undefined], own)).toEqual(baselineVersions);
  });
});
