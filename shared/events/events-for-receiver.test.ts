import { describe, expect, it } from 'vitest';
import { aCreation } from '../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../domain/directory/directory.ts';
import { stockDefinitions } from '../domain/entity/stock/stock-definitions.ts';
import { UnreadableMessage } from '../domain/errors.ts';
import type { AttributeValues } from '../domain/value/attribute-values.ts';
import { eventsForReceiver } from './events-for-receiver.ts';

function directoryWith(role: AttributeValues, user: AttributeValues = {}) {
  const directory = createDirectory(stockDefinitions);
  const records: Readonly<Record<string, AttributeValues>> = {
    Role: role,
    Team: { name: 'Mine' },
    User: { type: 'api', isActive: true, rolesIds: ['Role'], teamsIds: ['Team'], ...user },
  };
  for (const [entityType, values] of Object.entries(records)) {
    directory.apply(aCreation(entityType, Object(values), { recordId: entityType }));
  }
  return directory;
}

function anEvent(data: object, access: object = {}, previous: object = {}) {
  return {
    eventId: 'e',
    recordId: 'a',
    version: 2,
    occurredAt: 0,
    actorId: 'x',
    access: { assignedUserId: null, createdById: null, teamIds: [], ...access },
    data: JSON.stringify(data),
    previous: JSON.stringify(previous),
  };
}

const webhook = { userId: 'User', entityType: 'Account', type: 'update', field: null } as const;
const all = {
  data: { Account: { read: 'all' }, Campaign: { read: 'all' }, Lead: { read: 'all' } },
};

describe('eventsForReceiver', () => {
  const events = [
    anEvent({ id: 'a', name: 'mine' }, { assignedUserId: 'User' }),
    anEvent({ id: 'a', name: 'ours' }, { teamIds: ['Team'] }),
    anEvent({ id: 'a', name: 'theirs' }, { assignedUserId: 'other' }),
  ];

  it.each([
    ['all', 3],
    ['team', 2],
    ['own', 1],
    ['no', 0],
  ])('at level %s, returns %i of the own, team and other events', (read, count) => {
    const directory = directoryWith({ data: { Account: { read } } });
    const received = eventsForReceiver(events, webhook, directory);
    expect(received.map(({ data }) => data)).toEqual(
      events.slice(0, count).map(({ data }) => data),
    );
  });

  it('returns everything for a webhook without a user and nothing for a deleted user', () => {
    const directory = directoryWith({ data: {} });
    expect(eventsForReceiver(events, { ...webhook, userId: null }, directory)).toEqual(events);
    expect(eventsForReceiver(events, { ...webhook, userId: 'nobody' }, directory)).toEqual([]);
    const inactive = directoryWith(all, { isActive: false });
    expect(eventsForReceiver(events, webhook, inactive)).toEqual([]);
  });

  it('hides closed fields, their old values and events that change only closed fields', () => {
    const closed = { read: 'no' };
    const directory = directoryWith({ ...all, fieldData: { Account: { sicCode: closed } } });
    const both = anEvent({ id: 'a', name: 'n', sicCode: '1' }, {}, { name: 'm', sicCode: '0' });
    const by = { modifiedAt: '2030-01-01 00:00:00', modifiedById: 'x', modifiedByName: 'X' };
    const one = anEvent({ id: 'a', sicCode: '1', ...by });
    const received = eventsForReceiver([both, one], webhook, directory);
    expect(received.map(({ data, previous }) => [JSON.parse(data), JSON.parse(previous)])).toEqual([
      [{ id: 'a', name: 'n' }, { name: 'm' }],
    ]);
    const person = { entityType: 'Contact', data: { Contact: { read: 'all' } } };
    const nameless = directoryWith({ ...person, fieldData: { Contact: { firstName: closed } } });
    const renamed = anEvent({ id: 'a', firstName: 'Ann', name: 'Ann Lee' }, {}, { name: 'Lee' });
    expect(eventsForReceiver([renamed], { ...webhook, ...person }, nameless)).toEqual([]);
    const deleted = anEvent({ id: 'a' });
    expect(eventsForReceiver([deleted], { ...webhook, type: 'delete' }, directory)).toHaveLength(1);
  });

  it.each([
    ['{"id":"secret"', '{}', 'the payload of an event is not valid JSON'],
    ['["secret"]', '{}', 'the payload of an event is not a JSON object'],
    ['{"name":"n"}', 'null', 'the payload of an event is not a JSON object'],
  ])('throws for unreadable payloads: %s, previously %s', (data, previous, reason) => {
    const directory = directoryWith({
      ...all,
      fieldData: { Account: { sicCode: { read: 'no' } } },
    });
    const unreadable = { ...anEvent({}), data, previous };
    const receive = () => eventsForReceiver([unreadable], webhook, directory);
    expect(receive).toThrow(new UnreadableMessage(reason));
  });

  it('hides the old name of a linked record that the receiver may not read', () => {
    const event = anEvent(
      { id: 'a', accountId: 'b', accountName: 'New' },
      {},
      { accountId: 'a', accountName: 'Old' },
    );
    const seen = (account: string) => {
      const directory = directoryWith({
        data: { ...all.data, Contact: { read: 'all' }, Account: { read: account } },
      });
      const ofContacts = { ...webhook, entityType: 'Contact' };
      const [received] = eventsForReceiver([event], ofContacts, directory);
      return JSON.parse(received?.previous ?? 'null');
    };
    expect(seen('all')).toEqual({ accountId: 'a', accountName: 'Old' });
    expect(seen('own')).toEqual({ accountId: 'a' });
  });

  describe('for relations', () => {
    const relation = anEvent({ link: 'contacts', foreignType: 'Contact', relations: [] });
    const seen = (role: AttributeValues, entityType: string, field: string) => {
      const related = { ...webhook, type: 'relate', entityType, field } as const;
      return eventsForReceiver([relation], related, directoryWith(role)).length;
    };
    const both = (account: string, contact: string) => ({
      data: { Account: { read: account }, Contact: { read: contact } },
    });

    it.each([
      ['all', 'all', 1],
      // The event contains only the owners of the contact, not the owners of the account.
      ['own', 'all', 0],
      ['all', 'own', 0],
      ['all', 'no', 0],
      ['no', 'all', 0],
    ])('at levels %s (accounts) and %s (contacts), returns %i relate events', (...levels) => {
      const [account, contact, count] = levels;
      expect(seen(both(account, contact), 'Account', 'contacts')).toBe(count);
    });

    it('requires access only to the records that hold the link', () => {
      expect(seen(both('no', 'all'), 'Contact', 'account')).toBe(1);
      expect(seen(both('all', 'own'), 'Contact', 'account')).toBe(0);
    });

    it('returns nothing for a closed field on either side', () => {
      const closed = {
        ...both('all', 'all'),
        fieldData: { Contact: { accounts: { read: 'no' } } },
      };
      expect(seen(closed, 'Contact', 'accounts')).toBe(0);
      expect(seen(closed, 'Account', 'contacts')).toBe(0);
    });
  });
});

describe('a receiver of posts', () => {
  const post = { userId: 'User', entityType: 'Note', type: 'create', field: null } as const;
  const byOther = { createdById: 'other' };
  const received = (data: object, access: object = byOther) =>
    eventsForReceiver([anEvent({ id: 'p', ...data }, access)], post, directoryWith({})).length ===
    1;

  it.each([
    ['to everyone', { targetType: 'all' }],
    ['to the user', { targetType: 'users', usersIds: ['other', 'User'] }],
    ['to a team of the user', { targetType: 'teams', teamsIds: ['Team'] }],
  ])('receives a new post %s', (_, data) => {
    expect(received({ parentId: null, ...data })).toBe(true);
  });

  it.each([
    ['to other users', { targetType: 'users', usersIds: ['other'] }],
    ['to other teams', { targetType: 'teams', teamsIds: ['Theirs'] }],
    ['of another user to themselves', { targetType: 'self' }],
    ['on a record whose stream the user does not see', { parentType: 'Case', parentId: 'c' }],
    ['that was changed', { post: 'Changed' }],
  ])('does not receive a post %s', (_, data) => {
    expect(received(data)).toBe(false);
    expect(received(data, { createdById: 'User' })).toBe(true);
  });
});
