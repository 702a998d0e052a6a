import { describe, expect, it } from 'vitest';
import {
  differencesOf,
  toDraft,
  toValues,
  withFieldLevel,
  withLevel,
  withScope,
} from './role-draft.ts';

const role = toDraft({
  id: 'r',
  name: 'Sales',
  assignmentPermission: 'team',
  exportPermission: null,
  data: { Account: { read: 'all', edit: 'own' }, Lead: null, Webhook: true },
  fieldData: { Account: { website: { read: 'no' } } },
});

describe('a role draft', () => {
  it('contains the permissions of the role, without scopes that are null', () => {
    expect(toValues(role)).toEqual({
      name: 'Sales',
      assignmentPermission: 'team',
      exportPermission: 'not-set',
      data: { Account: { read: 'all', edit: 'own' }, Webhook: true },
      fieldData: { Account: { website: { read: 'no' } } },
    });
  });

  it('removes an unset level and the fields and entity types that become empty', () => {
    const place = { entity: 'Account', field: 'website', action: 'read' };
    expect(withFieldLevel(role, place, '').fieldData).toEqual({});
    const restricted = withFieldLevel(role, { ...place, action: 'edit' }, 'no');
    expect(withFieldLevel(restricted, place, '').fieldData).toEqual({
      Account: { website: { edit: 'no' } },
    });
    const unset = withLevel(role, { scope: 'Account', action: 'edit' }, '');
    expect(unset.data['Account']).toEqual({ read: 'all' });
    expect(withScope(role, 'Webhook', undefined).data).not.toHaveProperty('Webhook');
  });
});

describe('a field that cannot be read', () => {
  it('cannot be edited either', () => {
    const place = { entity: 'Lead', field: 'website', action: 'read' };
    const allowed = withFieldLevel(role, { ...place, action: 'edit' }, 'yes');
    expect(withFieldLevel(allowed, place, 'no').fieldData['Lead']).toEqual({
      website: { read: 'no', edit: 'no' },
    });
  });
});

describe('differencesOf', () => {
  it('is empty if both roles grant the same permissions', () => {
    const there = withLevel(role, { scope: 'Account', action: 'edit' }, 'all');
    expect(
      differencesOf(role, withLevel(there, { scope: 'Account', action: 'edit' }, 'own')),
    ).toEqual([]);
  });

  it('lists every changed value, including values of removed scopes', () => {
    const changed = withFieldLevel(
      { ...withScope(withScope(role, 'Account', false), 'Webhook', undefined), name: 'S' },
      { entity: 'Lead', field: 'source', action: 'edit' },
      'no',
    );
    expect(differencesOf(role, changed)).toEqual([
      { place: 'name', parts: [], before: 'Sales', after: 'S' },
      { place: 'Account', parts: ['read'], before: 'all', after: '' },
      { place: 'Account', parts: ['edit'], before: 'own', after: '' },
      { place: 'Webhook', parts: [], before: 'yes', after: '' },
      { place: 'Account', parts: [], before: '', after: 'no' },
      { place: 'Lead', parts: ['source', 'edit'], before: '', after: 'no' },
    ]);
  });
});
