import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, bodyOf } from './client.ts';
import { ApiError, isTransient } from './errors.ts';
import type { components } from './schema.d.ts';
import { forgetView, viewedUserName } from './view-as.ts';

export type AppUser = components['schemas']['appUser'];

/** Loads the signed-in user with their permissions; null without a session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
  // The user may have signed in or out in another tab.
  refetchOnWindowFocus: 'always',
  retry: false,
});

/** Also leaves another user's view if it is no longer allowed: the user was deactivated, or the session has ended. */
async function readSession(): Promise<AppUser | null> {
  const read = async () => bodyOf(api.GET('/App/session'));
  try {
    const user = await read();
    if (user !== null || viewedUserName() === null) return user;
  } catch (error) {
    if (viewedUserName() === null || isTransient(error)) throw error;
  }
  forgetView();
  return read();
}

/** The signed-in user. Kept after the session ends, so that the current page stays visible. */
export const UserContext = createContext<AppUser | undefined>(undefined);

/** Returns the signed-in user. Must be used inside the Gate, which renders its children only if a user is signed in. */
export function useUser(): AppUser {
  const user = useContext(UserContext);
  if (user === undefined) throw new Error('useUser must be used inside the Gate');
  return user;
}

export interface SignIn {
  readonly userName: string;
  readonly password: string;
  /** The authenticator code, after the server has requested one. */
  readonly code?: string;
}

export type SignInResult =
  | { readonly kind: 'done'; readonly user: AppUser }
  | { readonly kind: 'rejected'; readonly reason: Rejection }
  | { readonly kind: 'failed'; readonly error: unknown };

export type Rejection =
  | 'codeRequired'
  | 'codeLimited'
  | 'codeWrong'
  | 'inactive'
  | 'limited'
  | 'wrong';

const rejections: Readonly<Record<string, Rejection>> = {
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
    const reason = rejectionOf(error);
    return reason === undefined ? { kind: 'failed', error } : { kind: 'rejected', reason };
  }
}

function rejectionOf(error: unknown): Rejection | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { body } = error;
  if (body instanceof Object && 'status' in body && body.status === 'secondStepRequired') {
    return 'codeRequired';
  }
  return rejections[error.code];
}

export async function signOut(options: { readonly everywhere: boolean }): Promise<void> {
  await api.DELETE('/App/session', { params: { query: options } });
  forgetView();
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
