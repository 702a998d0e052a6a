import { expect, it } from 'vitest';
import type { Entity } from '../../../api/metadata.ts';
import { withCurrentUser } from './current-user.ts';

const links = { assignedUser: { entity: 'User' }, account: { entity: 'Account' } };
const entity = { links } as unknown as Entity;
const of = (attribute: string, ...value: readonly string[]) => ({
  type: 'linkedWith' as const,
  attribute,
  value,
});

it('replaces the signed-in user at any depth, but only in conditions on user links', () => {
  const conditions = [
    of('assignedUser', 'me', 'other'),
    of('account', 'me'),
    { type: 'or' as const, value: [of('assignedUser', 'me')] },
    { type: 'equals' as const, attribute: 'name', value: 'me' },
  ];
  expect(withCurrentUser(conditions, entity, 'u1')).toEqual([
    of('assignedUser', 'u1', 'other'),
    of('account', 'me'),
    { type: 'or', value: [of('assignedUser', 'u1')] },
    { type: 'equals', attribute: 'name', value: 'me' },
  ]);
});
