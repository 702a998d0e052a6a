import { describe, expect, it } from 'vitest';
import { defaultSettings, readProvider } from './read-provider.ts';

const required = { name: 'Example', issuer: 'https://login.example', clientId: 'annals' };

function problemsOf(body: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    readProvider({ ...required, ...body }, defaultSettings);
    return [];
  } catch (error) {
    return Object(error).detail.errors.map(({ field }: { readonly field: string }) => field);
  }
}

describe('readProvider', () => {
  it('requires only name, issuer and client id of a new provider', () => {
    expect(readProvider(required, defaultSettings)).toEqual({
      settings: { ...defaultSettings, ...required },
      clientSecret: undefined,
    });
    expect(problemsOf({ name: ' ', issuer: undefined, clientId: 7 })).toEqual([
      'name',
      'issuer',
      'clientId',
    ]);
  });

  it('keeps settings that the body omits, and distinguishes a removed secret from one that is kept', () => {
    const { settings } = readProvider(required, defaultSettings);
    const changed = readProvider({ isActive: false, clientSecret: null }, settings);
    expect(changed).toEqual({ settings: { ...settings, isActive: false }, clientSecret: null });
    expect(readProvider({ clientSecret: 's' }, settings).clientSecret).toBe('s');
  });

  it.each([
    ['issuer', 'ftp://login.example'],
    ['issuer', 'https://user@login.example'],
    ['issuer', 'https://login.example/#x'],
    ['isActive', 'yes'],
    ['clientAuthentication', 'private_key_jwt'],
    ['endpoints', 'none'],
    ['endpoints.token', { authorization: 'https://a', token: 'x', jwks: 'https://a' }],
    ['scopes', 'profile'],
    ['scopes', ['two words']],
    ['prompt', 'maybe'],
    ['maxAgeSeconds', -1],
    ['groups', {}],
    ['groups', Array.from({ length: 501 }, (_, index) => ({ group: `${index}` }))],
    ['groups', [{ group: 'a' }, { group: 'a' }]],
    ['groups[0].teamsIds', [{ group: 'a', teamsIds: 'b' }]],
    ['name', 'x'.repeat(101)],
    ['name', 'NUL \0'],
    ['clientSecret', 7],
    ['colour', 'red'],
  ])('rejects %s with the value %j', (field, value) => {
    const name = field.split(/[.[]/)[0] ?? '';
    expect(problemsOf({ [name]: value })).toEqual([field]);
  });
});
