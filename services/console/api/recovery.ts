import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';

/** Loads whether users can request a link for a new password, which requires that the installation sends e-mail. */
export const isMailOnQuery = queryOptions({
  queryKey: ['isMailOn'],
  queryFn: async ({ signal }) =>
    !(await bodyOf(api.GET('/Settings', { signal }))).passwordRecoveryDisabled,
  staleTime: Number.POSITIVE_INFINITY,
});

export async function requestLink(claim: {
  readonly userName: string;
  readonly emailAddress: string;
}): Promise<void> {
  await api.POST('/User/passwordChangeRequest', { body: claim });
}

export async function setPassword(change: {
  readonly requestId: string;
  readonly password: string;
}): Promise<void> {
  await api.POST('/User/changePasswordByRequest', { body: change });
}

/** Sends a link to another user. For administrators. */
export async function sendLink(userId: string): Promise<void> {
  await api.POST('/UserSecurity/password/recovery', { body: { id: userId } });
}
