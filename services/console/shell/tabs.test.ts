import { describe, expect, it } from 'vitest';
import type { Metadata } from '../api/metadata.ts';
import type { AppUser } from '../api/session.ts';
import { groupTabs, pagesFor } from './tabs.ts';

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
      '/home',
      '/calendar',
      '/recent',
      '/bin',
      '/import',
      '/people',
      '/definitions',
      '/webhooks',
      '/overview',
      '/log',
      '/happened',
      '/system',
    ];
    expect(addressesFor(admin)).toEqual(all);
  });

  it('hides webhooks from other users even if a role includes the scope', () => {
    expect(addressesFor(session(false, { Webhook: true, Account: { read: 'all' } }))).toEqual([
      '/home',
    ]);
  });

  it('offers imports to everyone who has the scope', () => {
    expect(addressesFor(session(false, { Import: true }))).toEqual(['/home', '/import']);
    expect(addressesFor(session(false, { Import: false }))).toEqual(['/home']);
  });

  it('offers the calendar to users with the scope who may read a type of activities', () => {
    const user = session(false, { Calendar: true });
    expect(addressesFor(user)).toEqual(['/home', '/calendar']);
    const withoutTasks = new Map([...metadata].filter(([name]) => name !== 'Task'));
    expect(pagesFor(user, withoutTasks).map(({ to }) => to)).toEqual(['/home']);
    expect(addressesFor(session(false, { Calendar: false }))).toEqual(['/home']);
  });

  it('offers recent changes and the bin to users who may change records of a type in the navigation', () => {
    const changing = { Account: { create: 'no', edit: 'no', delete: 'own' } };
    expect(addressesFor(session(false, changing))).toEqual(['/home', '/recent', '/bin']);
  });

  it('offers the users page to everyone who may read users', () => {
    expect(addressesFor(session(false, { User: { read: 'own' } }))).toEqual(['/home', '/people']);
    expect(addressesFor(session(false, { User: { read: 'no', edit: 'own' } }))).toEqual(['/home']);
  });
});

describe('groupTabs', () => {
  const tab = (name: string, isCustom = false) =>
    [name, { name, scope: { tab: true, isCustom } }] as const;
  const inSettings = (...tabList: string[]) => ({ settings: { tabList } }) as unknown as AppUser;
  const namesIn = (tabs: readonly { readonly name: string }[]) => tabs.map(({ name }) => name);

  it('lists the entity types of the settings first, then custom types, and separates the others', () => {
    const all = [tab('Account'), tab('Campaign'), tab('CProject', true), tab('Lead')];
    const { main, others } = groupTabs(
      new Map(all) as unknown as Metadata,
      inSettings('Lead', 'Account', 'Call'),
    );
    expect(namesIn(main)).toEqual(['Lead', 'Account', 'CProject']);
    expect(namesIn(others)).toEqual(['Campaign']);
  });

  it('does not separate a list that is short enough', () => {
    const all = new Map([tab('Account'), tab('Campaign')]) as unknown as Metadata;
    const { main, others } = groupTabs(all, inSettings('Lead', 'Account', 'Call'));
    expect(namesIn(main)).toEqual(['Account', 'Campaign']);
    expect(others).toEqual([]);
  });
});
