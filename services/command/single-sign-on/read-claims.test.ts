import { describe, expect, it } from 'vitest';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { applyGroups, type Claims, readAccount, toUserName } from './read-claims.ts';

const provider: SignInProvider = {
  id: 'p',
  name: 'Example',
  isActive: true,
  issuer: 'https://login.example',
  clientId: 'annals',
  clientSecret: null,
  scimTokenHash: null,
  clientAuthentication: 'none',
  endpoints: null,
  scopes: [],
  prompt: null,
  maxAgeSeconds: null,
  userNameClaim: 'preferred_username',
  groupClaim: 'groups',
  groups: [],
  createsUsers: true,
  linksByUserName: false,
  allowsAdministrators: false,
  syncsUser: false,
  syncsGroups: false,
};

const read = (claims: Claims, settings: Partial<SignInProvider> = {}) =>
  readAccount({ sub: '1', ...claims }, { ...provider, ...settings });

describe('readAccount', () => {
  it('reads names, e-mail address, groups and session', () => {
    const claims = {
      preferred_username: 'Ann.Lee',
      given_name: 'Ann',
      family_name: 'Lee',
      email: 'ann@example.com',
      groups: ['sales', 7],
      sid: 's',
    };
    expect(read(claims)).toEqual({
      issuer: 'https://login.example',
      subject: '1',
      sessionId: 's',
      userName: 'ann.lee',
      claimedName: 'Ann.Lee',
      isExactName: true,
      firstName: 'Ann',
      lastName: 'Lee',
      emailAddress: 'ann@example.com',
      accountName: 'ann@example.com',
      groups: new Set(['sales']),
    });
  });

  it.each([
    ['Ann.Lee', true],
    ['Jürgen', false],
    ['boss!', false],
    ['Ann Lee', false],
  ])('reports whether the user name differs from %s in more than case', (name, isExactName) => {
    expect(read({ preferred_username: name })).toMatchObject({ isExactName });
  });

  it('finds claims by path, but prefers a claim whose name contains dots', () => {
    const nested = { realm_access: { roles: ['a'] } };
    const settings = { groupClaim: 'realm_access.roles' };
    expect(read(nested, settings).groups).toEqual(new Set(['a']));
    const flat = { ...nested, 'realm_access.roles': 'b' };
    expect(read(flat, settings).groups).toEqual(new Set(['b']));
  });

  it('treats a missing group claim as no groups, and reads none without a claim in the settings', () => {
    expect(read({}).groups).toEqual(new Set());
    expect(read({ groups: ['a'] }, { groupClaim: null }).groups).toBeNull();
  });

  it('rejects a reference instead of groups, too many groups, and an account without a subject', () => {
    const reference = { _claim_names: { groups: 'src1' } };
    const groups = (length: number) => Array.from({ length }, (_, index) => `${index}`);
    const many = { groups: groups(5_001) };
    for (const claims of [reference, many, { sub: '' }, { sub: 7 }, { sub: 'x'.repeat(256) }]) {
      expect(() => read(claims)).toThrow(expect.objectContaining({ code: 'sign_in.claims' }));
    }
    expect(read({ groups: groups(5_000) }).groups?.size).toBe(5_000);
  });

  it('removes NUL, and ignores claims that are not text', () => {
    expect(read({ given_name: 'A\0nn', family_name: {}, name: ' ' })).toMatchObject({
      firstName: 'Ann',
      lastName: null,
    });
  });
});

describe('toUserName', () => {
  it.each([
    ['Ann Lée', 'ann_lee'],
    ['ANN@Example.com', 'ann@example.com'],
    ['DOMAIN\\ann', 'domainann'],
    ['x'.repeat(60), 'x'.repeat(50)],
    ['Анна', undefined],
    ['@._-', undefined],
  ])('converts %s', (name, userName) => {
    expect(toUserName(name)).toBe(userName);
  });
});

describe('applyGroups', () => {
  const mappings = [
    { group: 'sales', teamsIds: ['t1'], rolesIds: ['r1'] },
    { group: 'support', teamsIds: ['t1', 't2'], rolesIds: [] },
  ];

  it('adds what the groups grant, and removes only what other groups of the mapping would grant', () => {
    const current = { teamsIds: ['own', 't2'], rolesIds: ['r1', 'admin'] };
    expect(applyGroups(current, new Set(['sales']), mappings)).toEqual({
      teamsIds: ['own', 't1'],
      rolesIds: ['r1', 'admin'],
    });
    expect(applyGroups(current, new Set(['other']), mappings)).toEqual({
      teamsIds: ['own'],
      rolesIds: ['admin'],
    });
  });

  it('keeps a team that one of several groups grants', () => {
    const current = { teamsIds: ['t1'], rolesIds: [] };
    expect(applyGroups(current, new Set(['support']), mappings).teamsIds).toEqual(['t1', 't2']);
  });
});
