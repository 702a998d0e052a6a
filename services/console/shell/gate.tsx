import { Center, Skeleton, Stack } from '@mantine/core';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { onSignedOut } from '../api/client.ts';
import { isSignedOut } from '../api/errors.ts';
import { type AppUser, sessionQuery, UserContext } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { readTimeSettings, TimeSettingsContext } from '../language/time-settings.ts';
import { LoadError } from '../parts/page/load-error.tsx';
import { createConsoleRouter } from './router.tsx';

const router = createConsoleRouter();
const SignInPage = lazy(async () => ({
  default: (await import('../sign-in/sign-in-page.tsx')).SignInPage,
}));
const SessionDialog = lazy(async () => ({
  default: (await import('../sign-in/session-dialog.tsx')).SessionDialog,
}));

/** Shows the console to signed-in users and the sign-in page to others. */
export function Gate() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(sessionQuery);
  // Keeps the user after the session ends so that the page with its unsaved input stays on the screen.
  const kept = useRef<AppUser>(undefined);
  const isAnother = useReloadForAnother(kept.current, data);
  if (data && !isAnother) kept.current = data;
  const user = kept.current;
  const times = useMemo(() => readTimeSettings(user?.preferences), [user?.preferences]);
  const ended = useSessionEnd(data);
  useRightsAsOfNow(data);
  if (isAnother) return <FirstSkeleton />;
  const enter = (entered: AppUser): void => {
    queries.setQueryData(sessionQuery.queryKey, entered);
    ended.forget();
    invalidateAllBut(queries, 'session');
  };
  if (user === undefined) {
    if (data === null || isSignedOut(error)) {
      return (
        <Suspense fallback={<FirstSkeleton />}>
          <SignInPage onDone={enter} />
        </Suspense>
      );
    }
    if (error !== null) {
      return (
        <Center mih="100dvh" p="md">
          <LoadError error={error} onRetry={() => void refetch()} />
        </Center>
      );
    }
    return <FirstSkeleton />;
  }
  return (
    <UserContext value={user}>
      <TimeSettingsContext value={times}>
        <RouterProvider router={router} />
      </TimeSettingsContext>
      {/* Loads after the first page, but before it is needed: the session may end while an upgrade replaces the files. */}
      <Suspense>
        <SessionDialog isOpen={ended.is} userName={user.user.userName} onDone={enter} />
      </Suspense>
    </UserContext>
  );
}

/**
 * Reloads the page after another user has signed in, in this or another tab. Returns true from then on, so that no data
 * of the previous user is rendered in between.
 */
function useReloadForAnother(kept: AppUser | undefined, now: AppUser | null | undefined): boolean {
  const isAnother = kept !== undefined && !!now && kept.user.id !== now.user.id;
  useEffect(() => {
    if (isAnother) location.reload();
  }, [isAnother]);
  return isAnother;
}

/** Permissions are fetched on every navigation. If they have changed, everything loaded before is stale. */
function useRightsAsOfNow(session: AppUser | null | undefined): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', () => {
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      }),
    [queries],
  );
  const acl = session?.acl;
  const before = useRef(acl);
  useEffect(() => {
    if (acl === undefined || acl === before.current) return;
    if (before.current !== undefined) invalidateAllBut(queries, 'session');
    before.current = acl;
  }, [acl, queries]);
}

function invalidateAllBut(queries: QueryClient, kept: string): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== kept });
}

/** True after a response with status 401, if there was a session. */
function useSessionEnd(session: AppUser | null | undefined) {
  const [is, set] = useState(false);
  useEffect(() => onSignedOut(() => set(true)), []);
  return { is: is || session === null, forget: () => set(false) };
}

function FirstSkeleton() {
  const t = useText();
  return (
    <Stack p="md" aria-busy="true" aria-label={t('parts.loading')} role="status">
      <Skeleton h={36} />
      <Skeleton h={300} />
    </Stack>
  );
}
