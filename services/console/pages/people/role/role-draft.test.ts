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

describe('the draft of a role', () => {
  it('is what the role says, and nothing of what it says null to', () => {
    expect(toValues(role)).toEqual({
      name: 'Sales',
      assignmentPermission: 'team',
      exportPermission: 'not-set',
      data: { Account: { read: 'all', edit: 'own' }, Webhook: true },
      fieldData: { Account: { website: { read: 'no' } } },
    });
  });

  it('loses what is not said any more, and with the last of it the field and the type', () => {
    const place = { entity: 'Account', field: 'website', action: 'read' };
    expect(withFieldLevel(role, place, '').fieldData).toEqual({});
    const closed = withFieldLevel(role, { ...place, action: 'edit' }, 'no');
    expect(withFieldLevel(closed, place, '').fieldData).toEqual({
      Account: { website: { edit: 'no' } },
    });
    const unsaid = withLevel(role, { scope: 'Account', action: 'edit' }, '');
    expect(unsaid.data['Account']).toEqual({ read: 'all' });
    expect(withScope(role, 'Webhook', undefined).data).not.toHaveProperty('Webhook');
  });
});

describe('differences of two drafts', () => {
  it('are none where the same is said', () => {
    const there = withLevel(role, { scope: 'Account', action: 'edit' }, 'all');
    expect(
      differencesOf(role, withLevel(there, { scope: 'Account', action: 'edit' }, 'own')),
    ).toEqual([]);
  });

  it('name every value with what it was and will be, also where all of a type is gone', () => {
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
