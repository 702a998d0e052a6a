import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { mentionedUserIds } from '../../../shared/domain/stream/user-mentions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { findMentions } from './find-mentions.ts';

const directory = createDirectory(stockDefinitions);
const addUser = (userName: string, values: AttributeValues = {}) => {
  const complete = { userName, name: `Name of ${userName}`, type: 'regular', isActive: true };
  directory.apply(aCreation('User', { ...complete, ...values }, { recordId: `id-${userName}` }));
};
directory.apply(aCreation('Team', { name: 'Sales' }, { recordId: 'sales' }));
addUser('ann');
addUser('a.b@c', { type: 'admin' });
addUser('bob', { teamsIds: ['sales'] });
addUser('gone', { isActive: false });
addUser('robot', { type: 'api' });

function authorWith(mentionPermission: string) {
  const values = { mentionPermission };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  const user = { id: 'id-ann', name: 'Ann', userName: 'ann', type: 'regular' } as const;
  return buildActor({ ...user, teamIds: ['sales'] }, [role]);
}

const mentionedIn = (post: string | null, level = 'all') =>
  mentionedUserIds(findMentions(post, authorWith(level), directory));

describe('findMentions', () => {
  it('returns the users whose names follow an at sign, in the form that clients read', () => {
    expect(findMentions('@Ann please call (@a.b@c)', authorWith('all'), directory)).toEqual({
      mentions: {
        '@Ann': { id: 'id-ann', name: 'Name of ann', userName: 'ann', _scope: 'User' },
        '@a.b@c': { id: 'id-a.b@c', name: 'Name of a.b@c', userName: 'a.b@c', _scope: 'User' },
      },
    });
    expect(mentionedIn('Ask @bob. @bob')).toEqual(['id-bob']);
  });

  it('ignores e-mail addresses, unknown and inactive users, and API users', () => {
    for (const post of [
      'joe@ann x.@ann @unknown @gone @robot @',
      '@constructor @__proto__',
      null,
    ]) {
      expect(findMentions(post, authorWith('all'), directory)).toBeNull();
    }
  });

  it('returns only users whom the author may mention', () => {
    const post = '@ann @bob @a.b@c';
    expect(mentionedIn(post, 'no')).toEqual(['id-ann']);
    expect(mentionedIn(post, 'team')).toEqual(['id-ann', 'id-bob']);
    expect(mentionedIn(post, 'all')).toEqual(['id-ann', 'id-bob', 'id-a.b@c']);
  });

  it('takes time in proportion to the length of a post', () => {
    const started = performance.now();
    expect(mentionedIn('@'.repeat(20_000))).toEqual([]);
    expect(mentionedIn('@-'.repeat(10_000))).toEqual([]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
