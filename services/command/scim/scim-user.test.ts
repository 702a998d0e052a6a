import { describe, expect, it } from 'vitest';
import { mergeResource } from './apply-patch.ts';
import { type ManagedUser, toUserResource, toUserValues } from './scim-user.ts';

const managed: ManagedUser = {
  user: {
    entityType: 'User',
    id: 'u1',
    version: 1,
    deleted: false,
    values: {
      userName: 'jurgen',
      firstName: 'Jürgen',
      lastName: 'Lee',
      name: 'Jürgen Lee',
      isActive: true,
      emailAddressData: [
        { emailAddress: 'J@x.org', lower: 'j@x.org', primary: true, optOut: true, invalid: false },
      ],
      phoneNumberData: [
        { phoneNumber: '+493012345', type: 'Mobile', primary: true, optOut: true, invalid: false },
      ],
    },
  },
  provisioned: {
    providerId: 'p',
    userId: 'u1',
    userName: 'Jürgen',
    externalId: 'x1',
    groupIds: [],
    isRemoved: false,
  },
};
const changed = (given: Readonly<Record<string, unknown>>) =>
  toUserValues(mergeResource(toUserResource(managed), given), managed);

describe('a user as a SCIM resource', () => {
  it('has the spelling of the provider, and types of addresses', () => {
    expect(toUserResource(managed)).toMatchObject({
      userName: 'Jürgen',
      externalId: 'x1',
      displayName: 'Jürgen Lee',
      active: true,
      emails: [{ value: 'J@x.org', type: 'work', primary: true }],
      phoneNumbers: [{ value: '+493012345', type: 'mobile', primary: true }],
    });
    const renamed = { ...managed.user, values: { ...managed.user.values, userName: 'other' } };
    expect(toUserResource({ ...managed, user: renamed })['userName']).toBe('other');
  });

  it('changes only what differs, and keeps marks of addresses that stay', () => {
    expect(changed({})).toEqual({});
    expect(changed({ active: 'False', name: { givenName: 'J.' } })).toEqual({
      isActive: false,
      firstName: 'J.',
    });
    const emails = [{ value: 'new@x.org', primary: 'True' }, { value: 'j@x.org' }, { value: ' ' }];
    expect(changed({ emails })).toEqual({
      emailAddressData: [
        { emailAddress: 'new@x.org', primary: true },
        expect.objectContaining({ emailAddress: 'j@x.org', optOut: true, primary: false }),
      ],
    });
    const phoneNumbers = [{ value: '+49 30 12345', type: 'pager' }];
    expect(changed({ phoneNumbers })).toMatchObject({
      phoneNumberData: [{ phoneNumber: '+49 30 12345', type: 'Other', optOut: true }],
    });
  });

  it('becomes a new active user, who is named after the provider if no last name is given', () => {
    expect(toUserValues({ userName: 'Ann Lee' }, undefined)).toMatchObject({
      userName: 'ann_lee',
      lastName: 'ann_lee',
      isActive: true,
    });
    expect(toUserValues({ userName: 'a', displayName: 'Ann Lee' }, undefined)).toMatchObject({
      lastName: 'Ann Lee',
    });
  });

  it.each([
    ['no user name', { userName: null }],
    ['a user name without letters', { userName: '!!' }],
    ['a number as a title', { title: 7 }],
    ['a number as active', { active: 1 }],
    ['no value for active', { active: null }],
    ['a text as an address', { emails: ['x'] }],
    ['an object as a name', { name: { givenName: {} } }],
  ])('is rejected with %s', (_title, given) => {
    expect(() => changed(given)).toThrow(expect.objectContaining({ code: 'scim.invalidValue' }));
  });
});
