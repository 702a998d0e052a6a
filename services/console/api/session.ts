import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, bodyOf } from './client.ts';
import { ApiError } from './errors.ts';
import type { components } from './schema.d.ts';

export type AppUser = components['schemas']['appUser'];

/** Who is signed in, and what they may do; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => bodyOf(api.GET('/App/session')),
  staleTime: 60_000,
  // Somebody may have signed in or out in another tab.
  refetchOnWindowFocus: 'always',
  retry: false,
});

/** Who is signed in, or was until a moment ago: what is on the screen stays when the session ends. */
export const UserContext = createContext<AppUser | undefined>(undefined);

/** Of somebody who is signed in: nothing else is shown to others. */
export function useUser(): AppUser {
  const user = useContext(UserContext);
  if (user === undefined) throw new Error('nobody is signed in');
  return user;
}

export interface SignIn {
  readonly userName: string;
  readonly password: string;
  /** Of the authenticator, once it was asked for. */
  readonly code?: string;
}

/** What became of an attempt to sign in. */
export type SignInResult =
  | { readonly kind: 'done'; readonly user: AppUser }
  | { readonly kind: 'refused'; readonly why: Refused }
  | { readonly kind: 'failed'; readonly error: unknown };

export type Refused = 'codeWanted' | 'codeLimited' | 'codeWrong' | 'inactive' | 'limited' | 'wrong';

const refusals: Readonly<Record<string, Refused>> = {
  'code.invalid': 'codeWrong',
  'code.limited': 'codeLimited',
  'credentials.invalid': 'wrong',
  'login.limited': 'limited',
  'user.inactive': 'inactive',
};

export async function signIn({ userName, password, code }: SignIn): Promise<SignInResult> {
  const headers = {
    'Espo-Authorization': toBase64(`${userName}:${password}`),
    ...(code === undefined ? {} : { 'Espo-Authorization-Code': code }),
  };
  try {
    const user = await bodyOf(api.POST('/App/session', { headers }));
    return { kind: 'done', user };
  } catch (error) {
    const why = whyRefused(error);
    return why === undefined ? { kind: 'failed', error } : { kind: 'refused', why };
  }
}

function whyRefused(error: unknown): Refused | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (Object(error.body).status === 'secondStepRequired') return 'codeWanted';
  return refusals[error.code];
}

export async function signOut(options: { readonly everywhere: boolean }): Promise<void> {
  await api.DELETE('/App/session', { params: { query: options } });
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
