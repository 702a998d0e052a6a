import { expect, it } from 'vitest';
import { hiddenFromCreator } from './user-acl.ts';

const levels = (read: string, create = 'yes') => ({ create, read, edit: 'no', delete: 'no' });
const acl = {
  table: {
    Account: levels('own'),
    Contact: levels('team'),
    Lead: levels('no'),
    Task: levels('all'),
    Case: levels('own', 'no'),
    Note: levels('own'),
    Attachment: levels('own'),
    Webhook: true,
  },
  fieldTable: {},
  assignmentPermission: 'all',
};

it('says of which types a user creates what it does not see', () => {
  expect(hiddenFromCreator('shop', 'api', acl)).toEqual([
    'Lead: shop creates, but never reads what it created.',
    'Account: shop creates, but reads what it created only if it is the assigned user.',
    'Contact: shop creates, but reads what it created only if it is the assigned user, or by a team of its own.',
  ]);
  const nothing = { ...acl, table: { Task: levels('all'), Note: levels('own') } };
  expect(hiddenFromCreator('shop', 'api', nothing)).toEqual([]);
});

it('says nothing of what people are assigned without asking', () => {
  const none = { ...acl, assignmentPermission: 'no' };
  expect(hiddenFromCreator('shop', 'api', none)).toHaveLength(3);
  expect(hiddenFromCreator('anna', 'regular', none)).toEqual([
    'Lead: anna creates, but never reads what it created.',
  ]);
  const closed = { ...acl, fieldTable: { Account: { assignedUser: { read: 'yes', edit: 'no' } } } };
  expect(hiddenFromCreator('anna', 'regular', closed).join()).not.toContain('Account');
});
