import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type ResponseOf } from '../api/client.ts';

export type SignInProvider = ResponseOf<'/Oidc/settings'>['list'][number];
type Purpose = 'link' | 'signIn' | 'test';

/** The providers on the sign-in page. */
export const providersQuery = queryOptions({
  queryKey: ['singleSignOn', 'providers'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/Oidc/providers', { signal }))).list,
});

const returnKey = 'annals-return-to';

/** Returns the address of the provider. After the sign-in, the browser returns to the current page. */
export async function authorizationUrl(
  providerId: string,
  purpose: Purpose,
  confirmation: { readonly currentPassword?: string } = {},
): Promise<string> {
  const body = { providerId, purpose, ...confirmation };
  const { url } = await bodyOf(api.POST('/Oidc/authorization', { body }));
  sessionStorage.setItem(returnKey, `${location.pathname}${location.search}${location.hash}`);
  return url;
}

/** Returns the path of the page on which the sign-in began. */
export function readReturnPath(): string {
  const path = sessionStorage.getItem(returnKey) ?? '/';
  // A path with two slashes would be the address of another host.
  return /^\/(?![/\\])/.test(path) ? path : '/';
}

export type Completed = Awaited<ReturnType<typeof complete>>;

const complete = async (search: string) => bodyOf(api.POST('/Oidc/complete', { body: { search } }));

/** Completes a sign-in with the query with which the provider sent the browser back. A code is accepted only once. */
export function completionQuery(search: string) {
  return queryOptions({
    queryKey: ['singleSignOn', 'completion', search],
    queryFn: async () => complete(search),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
