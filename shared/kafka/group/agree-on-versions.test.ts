import { describe, expect, it } from 'vitest';
import { untoldVersions } from '../../events/schema-versions.ts';
import { nextVersions } from './agree-on-versions.ts';

const own = { ...untoldVersions, 'record-event': 4, 'webhook-batch': 5 };
const before = untoldVersions;

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
    expect(nextVersions(own, [[own], [untoldVersions]], own)).toEqual(untoldVersions);
  });

  it('are those of before for members that tell nothing, or nothing of a schema', () => {
    expect(nextVersions(own, [[own, undefined]], own)).toEqual(untoldVersions);
    expect(nextVersions(own, [[{ 'record-event': 4 }]], own)).toEqual({
      ...own,
      'webhook-batch': untoldVersions['webhook-batch'],
    });
  });

  it('get no newer, nor older, while a group tells nothing', () => {
    expect(nextVersions(before, [[own], undefined], own)).toEqual(before);
    expect(nextVersions(own, [[own], undefined], own)).toEqual(own);
    expect(nextVersions(own, [[untoldVersions], undefined], own)).toEqual(untoldVersions);
  });
});
