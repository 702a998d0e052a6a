import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type ResponseOf } from '../../api/client.ts';

/** A session of the current user. */
export type OwnSession = ResponseOf<'/UserSecurity/sessions'>['list'][number];

export const sessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: async ({ signal }) => bodyOf(api.GET('/UserSecurity/sessions', { signal })),
});

export async function endSession(id: string): Promise<void> {
  await api.DELETE('/UserSecurity/sessions/{id}', { params: { path: { id } } });
}

/** Also ends all other sessions of the user. */
export async function changePassword(change: {
  readonly currentPassword: string;
  readonly password: string;
}): Promise<void> {
  await api.PUT('/UserSecurity/password', { body: change });
}

export const secondFactorQuery = queryOptions({
  queryKey: ['profile', 'second factor'],
  queryFn: async ({ signal }) => bodyOf(api.GET('/UserSecurity/totp', { signal })),
});

/** Generates a secret for an authenticator. The server does not store it until it is confirmed with a code. */
export const newSecretQuery = queryOptions({
  queryKey: ['profile', 'new secret'],
  queryFn: async ({ signal }) => bodyOf(api.POST('/UserSecurity/totp/generate', { signal })),
  // Another secret would not match the one that the user has scanned.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
});

export async function enableSecondFactor(factor: {
  readonly password: string;
  readonly secret: string;
  readonly code: string;
}): Promise<void> {
  await api.PUT('/UserSecurity/totp', { body: factor });
}

export async function disableSecondFactor(password: string): Promise<void> {
  await api.POST('/UserSecurity/totp/disable', { body: { password } });
}

/** Returns new recovery codes, which the server does not return again. Earlier codes become invalid. */
export async function replaceRecoveryCodes(password: string): Promise<readonly string[]> {
  return (await bodyOf(api.POST('/UserSecurity/totp/recoveryCodes', { body: { password } }))).codes;
}

export const linkedAccountsQuery = queryOptions({
  queryKey: ['profile', 'linked accounts'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/Oidc/accounts', { signal }))).list,
});

/** Also ends the sessions that began with the account. */
export async function unlinkAccount(id: string): Promise<void> {
  await api.DELETE('/Oidc/accounts/{id}', { params: { path: { id } } });
}
