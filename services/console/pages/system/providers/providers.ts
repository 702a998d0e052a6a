import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import type { SignInProvider } from '../../../sign-in/single-sign-on.ts';

export const providerSettingsQuery = queryOptions({
  queryKey: ['singleSignOn', 'settings'],
  queryFn: async ({ signal }) => bodyOf(api.GET('/Oidc/settings', { signal })),
});

/** The settings in a form. */
export type ProviderDraft = Omit<SignInProvider, 'hasClientSecret' | 'hasScimToken' | 'id'> & {
  /** Empty keeps the stored secret. */
  readonly clientSecret: string;
};

export const emptyDraft: ProviderDraft = {
  name: '',
  isActive: true,
  issuer: '',
  clientId: '',
  clientSecret: '',
  clientAuthentication: 'client_secret_basic',
  endpoints: null,
  scopes: ['profile', 'email'],
  prompt: null,
  maxAgeSeconds: null,
  userNameClaim: 'preferred_username',
  groupClaim: null,
  groups: [],
  createsUsers: false,
  linksByUserName: false,
  allowsAdministrators: false,
  syncsUser: false,
  syncsGroups: false,
};

export function toDraft({
  id: _,
  hasClientSecret: __,
  hasScimToken: ___,
  ...settings
}: SignInProvider): ProviderDraft {
  return { ...settings, clientSecret: '' };
}

/** Creates a provider, or changes the one with this id. */
export async function saveProvider(
  id: string | undefined,
  { clientSecret, ...settings }: ProviderDraft,
): Promise<SignInProvider> {
  const body = { ...settings, ...(clientSecret === '' ? {} : { clientSecret }) };
  return id === undefined
    ? bodyOf(api.POST('/Oidc/settings', { body }))
    : bodyOf(api.PUT('/Oidc/settings/{id}', { params: { path: { id } }, body }));
}

export async function removeProvider(id: string): Promise<void> {
  await api.DELETE('/Oidc/settings/{id}', { params: { path: { id } } });
}

/** Creates or replaces the token of a provider. Returns the token, which cannot be read later. */
export async function createScimToken(id: string): Promise<string> {
  const params = { path: { id } };
  return (await bodyOf(api.POST('/Oidc/settings/{id}/scimToken', { params }))).token;
}

export async function removeScimToken(id: string): Promise<void> {
  await api.DELETE('/Oidc/settings/{id}/scimToken', { params: { path: { id } } });
}

export const passwordSignInQuery = queryOptions({
  queryKey: ['singleSignOn', 'passwordSignIn'],
  queryFn: async ({ signal }) => {
    const settings: object = await bodyOf(api.GET('/Settings', { signal }));
    return 'passwordSignIn' in settings ? settings.passwordSignIn : 'everyone';
  },
});

export async function savePasswordSignIn(isForAll: boolean): Promise<void> {
  const passwordSignIn = isForAll ? 'everyone' : 'administrators';
  await api.PUT('/Settings', { body: { passwordSignIn } });
}

const maxHolders = 200;

/** Loads the names of all teams or roles. */
export function rightHoldersQuery(entity: 'Role' | 'Team') {
  return queryOptions({
    queryKey: ['records', entity, 'names'],
    queryFn: async ({ signal }) => {
      const params = {
        path: { entity },
        query: { maxSize: maxHolders, select: ['name'], orderBy: 'name' },
      };
      const { list } = await bodyOf(api.GET('/{entity}', { params, signal }));
      return list.map((record) => {
        const { id, name } = Object(record);
        return { value: String(id), label: String(name ?? id) };
      });
    },
  });
}
