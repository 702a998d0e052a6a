import { describe, expect, it } from 'vitest';
import { matchesFilter, parseFilter, parsePath } from './scim-filter.ts';
import { groupSchema, userSchema } from './scim-schemas.ts';

const ann: Readonly<Record<string, unknown>> = {
  id: 'a1',
  externalId: 'Ext-1',
  userName: 'Ann.Lee@example.com',
  displayName: 'Ann "the boss" Lee',
  name: { givenName: 'Ann', familyName: 'Lee' },
  active: true,
  emails: [
    { value: 'ann@example.com', type: 'work', primary: true },
    { value: 'ann@home.example', type: 'other', primary: false },
  ],
};

const matches = (filter: string) =>
  matchesFilter((name) => ann[name], parseFilter(filter, userSchema));

describe('a filter', () => {
  it.each([
    'userName eq "ann.lee@EXAMPLE.com"',
    'USERNAME Eq "ann.lee@example.com"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann.lee@example.com"',
    'externalId eq "Ext-1"',
    'id eq "a1" and active eq true',
    'active eq "True"',
    'displayName eq "Ann \\"the boss\\" Lee"',
    'emails eq "ANN@example.com"',
    'emails.value eq "ann@home.example"',
    'emails[type eq "work"].value eq "ann@example.com"',
    'emails[type eq "home" and primary eq false].value eq "ann@home.example"',
    'emails[type eq "work" and value co "@example"]',
    'name.familyName sw "l" and name.givenName ew "NN"',
    'userName pr',
  ])('selects a resource: %s', (filter) => {
    const complete = filter.endsWith(']') ? `${filter}.value pr` : filter;
    expect(matches(complete)).toBe(true);
  });

  it.each([
    'userName eq "ann"',
    'externalId eq "ext-1"',
    'id eq "a1" and active eq false',
    'emails[type eq "work"].value eq "ann@home.example"',
    'title pr',
    'title eq ""',
  ])('does not select another resource: %s', (filter) => {
    expect(matches(filter)).toBe(false);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq ann',
    'userName eq "ann',
    'userName eq "\\x"',
    'userName gt "a"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '(userName eq "a")',
    'userName eq "a" and',
    Array(21).fill('userName pr').join(' and '),
    'userName eq null',
    'password eq "x"',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
    'emails[type eq "work"',
    'emails[type] eq "x"',
    'emails[emails[type eq "work"]]',
    'name.familyName.x eq "a"',
    '] eq "x"',
    ' '.repeat(50_000),
  ])('is rejected as invalidFilter: %s', (filter) => {
    expect(() => parseFilter(filter, userSchema)).toThrow(
      expect.objectContaining({ code: 'scim.invalidFilter' }),
    );
  });
});

describe('a path', () => {
  const parts = (text: string) => {
    const path = parsePath(text, userSchema);
    return path && [path.attribute.name, path.filter?.length, path.sub?.name];
  };

  it('names an attribute, a part, or selected items', () => {
    expect(parts('username')).toEqual(['userName', undefined, undefined]);
    expect(parts('name.givenName')).toEqual(['name', undefined, 'givenName']);
    expect(parts('emails[type eq "work"]')).toEqual(['emails', 1, undefined]);
    expect(parts('phoneNumbers[type eq "mobile"].value')).toEqual(['phoneNumbers', 1, 'value']);
    const [condition] = parsePath('members[value eq "U1"]', groupSchema)?.filter ?? [];
    expect(condition?.expected).toBe('U1');
  });

  it.each([
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.displayName',
    'addresses[type eq "work"].streetAddress',
    'preferredLanguage',
    'name.honorificSuffix',
    'roles[primary eq "True"].value',
  ])('is ignored if Annals has no such attribute: %s', (path) => {
    expect(parts(path)).toBeUndefined();
  });

  it.each([
    '',
    '.',
    'emails[',
    'emails[]',
    'emails[type eq "work"',
    'emails value',
    '"emails"',
    '[x]',
  ])('is rejected as invalidPath if it does not parse: %s', (path) => {
    expect(() => parsePath(path, userSchema)).toThrow(
      expect.objectContaining({ code: 'scim.invalidPath' }),
    );
  });
});
