import { describe, expect, it } from 'vitest';
import { untoldVersions } from '../../events/schema-versions.ts';
import { nextVersions } from './agree-on-versions.ts';

const own = { ...untoldVersions, 'record-event': 4, 'webhook-batch': 5 };
const before = untoldVersions;

describe('the versions to write', () => {
  it('are the newest that this process and all members of all groups read', () => {
    const groupVersions = [[{ ...own, 'record-event': 3 }, own], [own]];
    expect(nextVersions(before, groupVersions, own)).toEqual({ ...own, 'record-event': 3 });
  });

  it('are at most the versions of this process, whatever others read', () => {
    const groupVersions = [[{ ...own, 'record-event': 9 }]];
    expect(nextVersions(before, groupVersions, own)).toEqual(own);
  });

  it('are lowered when a member that reads less appears', () => {
    expect(nextVersions(own, [[own], [untoldVersions]], own)).toEqual(untoldVersions);
  });

  it('are the baseline for members that report no versions, or none for a schema', () => {
    expect(nextVersions(own, [[own, undefined]], own)).toEqual(untoldVersions);
    expect(nextVersions(own, [[{ 'record-event': 4 }]], own)).toEqual({
      ...own,
      'webhook-batch': untoldVersions['webhook-batch'],
    });
  });

  it('are neither raised nor lowered while a group reports nothing', () => {
    expect(nextVersions(before, [[own], undefined], own)).toEqual(before);
    expect(nextVersions(own, [[own], undefined], own)).toEqual(own);
    expect(nextVersions(own, [[untoldVersions], undefined], own)).toEqual(untoldVersions);
  });
});
