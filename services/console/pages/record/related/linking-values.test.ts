import { describe, expect, it } from 'vitest';
import type { Entity, Field, Link } from '../../../api/metadata.ts';
import { linkingValues, readLinkingValues } from './linking-values.ts';

const links: Readonly<Record<string, Link>> = {
  contacts: { type: 'hasMany', entity: 'Contact', foreign: 'accounts' },
  contactsPrimary: { type: 'hasMany', entity: 'Contact', foreign: 'account' },
  documents: { type: 'hasMany', entity: 'Document', foreign: 'accounts' },
  tasks: { type: 'hasChildren', entity: 'Task', foreign: 'parent' },
  hidden: { type: 'hasMany', entity: 'Contact', foreign: 'closed' },
  oneWay: { type: 'hasMany', entity: 'Contact' },
};
const account = { name: 'Account', links } as unknown as Entity;
const record = { id: 'a1', name: 'Acme' };

function targetWith(fields: Readonly<Record<string, Field>>): Entity {
  return { fields, scope: { statusField: 'status' } } as unknown as Entity;
}

const contact = targetWith({
  account: { type: 'link' },
  accounts: { type: 'linkMultiple' },
  closed: { type: 'link', readOnly: true },
});

function valuesOf(link: string, target = contact) {
  return linkingValues({ entity: account, record, link }, target);
}

describe('linkingValues', () => {
  it('returns the values of each kind of link', () => {
    expect(valuesOf('documents', targetWith({ accounts: { type: 'linkMultiple' } }))).toEqual({
      accountsIds: ['a1'],
      accountsNames: { a1: 'Acme' },
    });
    expect(valuesOf('contactsPrimary')).toEqual({ accountId: 'a1', accountName: 'Acme' });
    expect(valuesOf('tasks', targetWith({ parent: { type: 'linkParent' } }))).toEqual({
      parentId: 'a1',
      parentType: 'Account',
      parentName: 'Acme',
    });
  });

  it('returns the primary link if the new record can have several', () => {
    expect(valuesOf('contacts')).toEqual({ accountId: 'a1', accountName: 'Acme' });
  });

  it('returns undefined if no field of the new record stores the link', () => {
    expect(valuesOf('hidden')).toBeUndefined();
    expect(valuesOf('oneWay')).toBeUndefined();
    expect(valuesOf('tasks')).toBeUndefined();
  });

  it("adds the account of the record's own link", () => {
    const task = targetWith({ parent: { type: 'linkParent' }, account: { type: 'link' } });
    const owned = { ...record, accountId: 'a2', accountName: 'Owner' };
    expect(linkingValues({ entity: account, record: owned, link: 'tasks' }, task)).toMatchObject({
      parentId: 'a1',
      accountId: 'a2',
      accountName: 'Owner',
    });
  });
});

describe('readLinkingValues', () => {
  it('accepts no values of other fields', () => {
    const values = { accountId: 'a1', accountName: 'Acme' };
    expect(readLinkingValues(contact, values)).toEqual(values);
    expect(readLinkingValues(contact, { ...values, closedId: 'x' })).toBeUndefined();
    expect(readLinkingValues(contact, { name: 'x' })).toBeUndefined();
    expect(readLinkingValues(contact, 'x')).toBeUndefined();
    expect(readLinkingValues(contact, null)).toBeUndefined();
  });

  it('accepts the status, for new records from a column of a board', () => {
    expect(readLinkingValues(contact, { status: 'New' })).toEqual({ status: 'New' });
  });

  it('accepts the times of an event', () => {
    const meeting = targetWith({
      dateStart: { type: 'datetimeOptional' },
      isAllDay: { type: 'bool' },
      createdAt: { type: 'datetime', readOnly: true },
    });
    const values = { dateStart: null, dateStartDate: '2030-01-31', isAllDay: true };
    expect(readLinkingValues(meeting, values)).toEqual(values);
    expect(readLinkingValues(meeting, { createdAt: '2030-01-31 10:00:00' })).toBeUndefined();
  });
});
