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

it('lists types whose records the user can create but not read', () => {
  expect(hiddenFromCreator('shop', 'api', acl)).toEqual([
    'Lead: shop can create records, but cannot read them afterwards.',
    'Account: shop can create records, but can read them only as the assigned user.',
    'Contact: shop can create records, but can read them only as the assigned user or through a common team.',
  ]);
  const nothing = { ...acl, table: { Task: levels('all'), Note: levels('own') } };
  expect(hiddenFromCreator('shop', 'api', nothing)).toEqual([]);
});

it('omits types whose records are always assigned to their creator', () => {
  const none = { ...acl, assignmentPermission: 'no' };
  expect(hiddenFromCreator('shop', 'api', none)).toHaveLength(3);
  expect(hiddenFromCreator('anna', 'regular', none)).toEqual([
    'Lead: anna can create records, but cannot read them afterwards.',
  ]);
  const closed = { ...acl, fieldTable: { Account: { assignedUser: { read: 'yes', edit: 'no' } } } };
  expect(hiddenFromCreator('anna', 'regular', closed).join()).not.toContain('Account');
});
