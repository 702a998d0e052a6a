import { describe, expect, it } from 'vitest';
import { applyPatch, readResource } from './apply-patch.ts';
import { groupSchema, userSchema } from './scim-schemas.ts';

const work = { value: 'ann@example.com', type: 'work', primary: true };
const user = { userName: 'ann', name: { givenName: 'Ann', familyName: 'Lee' }, emails: [work] };
const group = { displayName: 'Sales', members: [{ value: 'u1' }, { value: 'u2' }] };

const patchUser = (...Operations: readonly unknown[]) =>
  applyPatch(user, { Operations }, userSchema);
const membersAfter = (...Operations: readonly unknown[]) => {
  const { members } = applyPatch(group, { Operations }, groupSchema);
  return (Array.isArray(members) ? members : []).map(({ value }) => value);
};

describe('the operations of a PATCH', () => {
  it('change attributes in any spelling, also without a path, and one after the other', () => {
    expect(
      patchUser(
        { op: 'Replace', path: 'active', value: 'False' },
        { op: 'ADD', path: 'NAME.GIVENNAME', value: 'Anna' },
        { op: 'replace', value: { title: 'Boss', 'name.middleName': 'B', displayName: 'x' } },
        { op: 'replace', path: 'name', value: { familyName: 'Li' } },
        { op: 'remove', path: 'title' },
      ),
    ).toMatchObject({
      active: 'False',
      title: null,
      name: { givenName: 'Anna', middleName: 'B', familyName: 'Li' },
    });
  });

  it('unwrap a single value in a list, as Entra ID sends it', () => {
    const value = [{ $ref: null, value: 'Bob' }];
    expect(patchUser({ op: 'Replace', path: 'displayName', value })).toMatchObject({
      displayName: 'Bob',
    });
  });

  it('change selected addresses, and add one that does not exist', () => {
    const path = 'emails[type eq "work"].value';
    expect(patchUser({ op: 'Replace', path, value: 'new@example.com' })['emails']).toEqual([
      { ...work, value: 'new@example.com' },
    ]);
    const mobile = {
      op: 'Add',
      path: 'phoneNumbers[type eq "mobile"].value',
      value: '+4930123456',
    };
    expect(patchUser(mobile)['phoneNumbers']).toEqual([{ type: 'mobile', value: '+4930123456' }]);
    expect(patchUser({ op: 'remove', path: 'emails[type eq "work"]' })['emails']).toEqual([]);
    expect(patchUser({ op: 'remove', path })['emails']).toEqual([]);
  });

  it('make an added primary address the only one', () => {
    const value = [{ value: 'new@example.com', primary: true }];
    expect(patchUser({ op: 'add', path: 'emails', value })['emails']).toEqual([
      { ...work, primary: false },
      { value: 'new@example.com', primary: true },
    ]);
  });

  it('ignore attributes that Annals does not store, and read-only attributes', () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    expect(
      patchUser(
        { op: 'Add', path: `${enterprise}:manager`, value: 'x' },
        { op: 'Add', value: { [enterprise]: { department: 'x' }, nickName: 'x', id: 'other' } },
        { op: 'Replace', path: 'groups', value: [] },
      ),
    ).toEqual(user);
  });

  it('add members once, and remove them by filter, by value, or all', () => {
    const added = [{ value: 'u2' }, { value: 'u3', $ref: 'x' }, { value: 'u3' }];
    expect(new Set(membersAfter({ op: 'Add', path: 'members', value: added }))).toEqual(
      new Set(['u1', 'u2', 'u3']),
    );
    expect(membersAfter({ op: 'remove', path: 'members[value eq "u1"]' })).toEqual(['u2']);
    const value = [{ $ref: null, value: 'u2' }];
    expect(membersAfter({ op: 'Remove', path: 'members', value })).toEqual(['u1']);
    expect(membersAfter({ op: 'Remove', path: 'members', value: [] })).toEqual(['u1', 'u2']);
    expect(membersAfter({ op: 'remove', path: 'members' })).toEqual([]);
    expect(membersAfter({ op: 'replace', value: { id: 'g', members: value } })).toEqual(['u2']);
  });

  it.each([
    ['no operations', {}, 'invalidSyntax'],
    ['operations that are not a list', { Operations: { op: 'add' } }, 'invalidSyntax'],
    ['no operation', { Operations: [] }, 'invalidSyntax'],
    [
      'too many operations',
      { Operations: Array(1_001).fill({ op: 'remove', path: 'title' }) },
      'invalidSyntax',
    ],
    ['an operation that is not an object', { Operations: ['add'] }, 'invalidSyntax'],
    ['an unknown verb', { Operations: [{ op: 'move', path: 'title' }] }, 'invalidSyntax'],
    [
      'a path that is not a text',
      { Operations: [{ op: 'add', path: 7, value: 1 }] },
      'invalidPath',
    ],
    [
      'a path that does not parse',
      { Operations: [{ op: 'add', path: 'a[', value: 1 }] },
      'invalidPath',
    ],
    ['a removal without a path', { Operations: [{ op: 'remove' }] }, 'invalidPath'],
    ['a value without a path', { Operations: [{ op: 'add', value: 'x' }] }, 'invalidValue'],
    ['no value', { Operations: [{ op: 'replace', path: 'emails' }] }, 'invalidValue'],
    [
      'a text for a name',
      { Operations: [{ op: 'add', path: 'name', value: 'x' }] },
      'invalidValue',
    ],
  ])('are rejected if there is %s', (_title, body, scimType) => {
    expect(() => applyPatch(user, body, userSchema)).toThrow(
      expect.objectContaining({ code: `scim.${scimType}` }),
    );
  });
});

it('rejects operations that together look at too many members', () => {
  const members = Array.from({ length: 20_000 }, (_, index) => ({ value: `u${index}` }));
  const Operations = Array(200).fill({ op: 'add', path: 'members', value: [{ value: 'new' }] });
  expect(() => applyPatch({ ...group, members }, { Operations }, groupSchema)).toThrow(
    expect.objectContaining({ kind: 'too_large' }),
  );
});

describe('readResource', () => {
  it('returns the known attributes under their exact names', () => {
    const body = JSON.parse(
      '{"schemas":[],"USERNAME":"ann","Name":{"GivenName":"Ann","x":1},"id":"1","__proto__":{"active":false}}',
    );
    expect(readResource(body, userSchema)).toEqual({ userName: 'ann', name: { givenName: 'Ann' } });
  });
});
