import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { sessionQuery, useUser } from './session.ts';

/** The value of a preference that is being stored; null if the session contains the current value. */
function unstoredQuery(name: string) {
  return queryOptions({
    queryKey: ['unstored', name],
    queryFn: (): { readonly value: unknown } | null => null,
    initialData: null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Returns a preference of the signed-in user (undefined if none is stored), and a function that stores a new value for
 * all of the user's devices. This page uses the value immediately, even if it cannot be stored.
 */
export function usePreference(
  name: string,
  onError: (error: unknown) => void,
): readonly [unknown, (value: unknown) => void] {
  const { user, preferences } = useUser();
  const queries = useQueryClient();
  const unstored = unstoredQuery(name);
  const { data } = useQuery(unstored);
  const { mutate } = useMutation({
    // Requests are sent one after the other, so that the last change wins.
    scope: { id: `preference ${name}` },
    async mutationFn(value: unknown) {
      const params = { path: { id: user.id } };
      const body = { [name]: value ?? null };
      return bodyOf(api.PUT('/Preferences/{id}', { params, body: body as never }));
    },
    async onSuccess(stored, value) {
      // A pending request for the session may still return the previous value.
      await queries.cancelQueries({ queryKey: sessionQuery.queryKey });
      queries.setQueryData(
        sessionQuery.queryKey,
        (session) => session && { ...session, preferences: stored as never },
      );
      queries.setQueryData(unstored.queryKey, (now) => (now?.value === value ? null : now));
    },
    onError,
  });
  const stored: unknown = Object(preferences)[name];
  return [
    data === null ? stored : data.value,
    (value) => {
      queries.setQueryData(unstored.queryKey, () => ({ value }));
      mutate(value);
    },
  ];
}
