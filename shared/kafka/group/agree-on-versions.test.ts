import { describe, expect, it } from 'vitest';
import { baselineVersions } from '../../events/schema-versions.ts';
import { nextVersions } from './agree-on-versions.ts';

const own = { ...baselineVersions, 'record-event': 4, 'webhook-batch': 5 };
const before = baselineVersions;

describe('the versions to write', () => {
  it('are the newest that this process and all members of all groups read', () => {
    const groupVersions = [[{ ...own, 'record-event': 3 }, own], [own]];
    expect(nextVersions(before, groupVersions, own)).toEqual({ ...own, 'record-event': 3 });
  });

  it('never exceed the versions that this process reads', () => {
    const groupVersions = [[{ ...own, 'record-event': 9 }]];
    expect(nextVersions(before, groupVersions, own)).toEqual(own);
  });

  it('are lowered when a member with older versions joins', () => {
    expect(nextVersions(own, [[own], [baselineVersions]], own)).toEqual(baselineVersions);
  });

  it('are the baseline for members that do not report a version', () => {
    expect(nextVersions(own, [[own, undefined]], own)).toEqual(baselineVersions);
    expect(nextVersions(own, [[{ 'record-event': 4 }]], own)).toEqual({
      ...own,
      'webhook-batch': baselineVersions['webhook-batch'],
    });
  });

  it('are neither raised nor lowered while a group reports nothing', () => {
    expect(nextVersions(before, [[own], undefined], own)).toEqual(before);
    expect(nextVersions(own, [[own], undefined], own)).toEqual(own);
    expect(nextVersions(own, [[baselineVersions], undefined], own)).toEqual(baselineVersions);
  });
});
