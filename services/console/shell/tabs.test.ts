import { describe, expect, it } from 'vitest';
import type { Metadata } from '../api/metadata.ts';
import type { AppUser } from '../api/session.ts';
import { pagesFor } from './tabs.ts';

function session(isAdmin: boolean, table: object): AppUser {
  return { user: { isAdmin }, acl: { table } } as unknown as AppUser;
}

const metadata = new Map([
  ['Account', { name: 'Account', scope: { tab: true } }],
  ['Task', { name: 'Task', scope: { tab: true }, fields: { dateStart: {}, dateEnd: {} } }],
  ['User', { name: 'User', scope: { tab: false } }],
]) as unknown as Metadata;
const addressesFor = (user: AppUser) => pagesFor(user, metadata).map(({ to }) => to);

describe('pagesFor', () => {
  it('offers every page to an administrator', () => {
    const admin = session(true, {
      Account: { edit: 'all' },
      User: { read: 'all' },
      Import: true,
      Calendar: true,
    });
    const all = [
      '/calendar',
      '/recent',
      '/bin',
      '/overview',
      '/import',
      '/webhooks',
      '/people',
      '/definitions',
      '/log',
      '/system',
    ];
    expect(addressesFor(admin)).toEqual(all);
  });

  it('hides webhooks from other users even if a role includes the scope', () => {
    expect(addressesFor(session(false, { Webhook: true, Account: { read: 'all' } }))).toEqual([]);
  });

  it('offers imports to everyone who has the scope', () => {
    expect(addressesFor(session(false, { Import: true }))).toEqual(['/import']);
    expect(addressesFor(session(false, { Import: false }))).toEqual([]);
  });

  it('offers the calendar to users with the scope who may read a type of activities', () => {
    const user = session(false, { Calendar: true });
    expect(addressesFor(user)).toEqual(['/calendar']);
    const withoutTasks = new Map([...metadata].filter(([name]) => name !== 'Task'));
    expect(pagesFor(user, withoutTasks)).toEqual([]);
    expect(addressesFor(session(false, { Calendar: false }))).toEqual([]);
  });

  it('offers recent changes and the bin to users who may change records of a type in the navigation', () => {
    const changing = { Account: { create: 'no', edit: 'no', delete: 'own' } };
    expect(addressesFor(session(false, changing))).toEqual(['/recent', '/bin']);
  });

  it('offers the users page to everyone who may read users', () => {
    expect(addressesFor(session(false, { User: { read: 'own' } }))).toEqual(['/people']);
    expect(addressesFor(session(false, { User: { read: 'no', edit: 'own' } }))).toEqual([]);
  });
});
