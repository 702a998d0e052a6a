import { AppShell, Box, Skeleton, Stack } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { openSpotlight } from '@mantine/spotlight';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useLoadedMetadata } from '../api/metadata.ts';
import { viewedUserName } from '../api/view-as.ts';
import { useText } from '../language/language.tsx';
import { useNarrowNavigation, useStoredAppearance } from '../parts/appearance.ts';
import { LoadError } from '../parts/page/load-error.tsx';
import { PageSkeleton } from '../parts/page/page-skeleton.tsx';
import { Header } from './header.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { RIBBON_HEIGHT, ViewAsRibbon } from './view-as-ribbon.tsx';

const Reminders = lazy(async () => ({
  default: (await import('../pages/reminders/reminders.tsx')).Reminders,
}));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const HEADER_HEIGHT = 52;
const NAVIGATION_WIDTH = 232;
const NARROW_WIDTH = 60;

/** The frame around every page: header, navigation and content. */
export function Shell() {
  const t = useText();
  useStoredAppearance();
  const viewed = viewedUserName();
  // Also before the palette is loaded, which then opens.
  useHotkeys([['mod+K', openSpotlight]], []);
  const [isOpen, navigation] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the navigation when another page opens
  useEffect(navigation.close, [path]);
  const { metadata, error, refetch } = useLoadedMetadata();
  const [isNarrow, toggleWidth] = useNarrowNavigation();
  return (
    <>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <AppShell
        header={{ height: viewed === null ? HEADER_HEIGHT : HEADER_HEIGHT + RIBBON_HEIGHT }}
        navbar={{
          width: isNarrow ? NARROW_WIDTH : NAVIGATION_WIDTH,
          breakpoint: 'sm',
          collapsed: { mobile: !isOpen },
        }}
      >
        <AppShell.Header>
          {viewed === null ? null : <ViewAsRibbon userName={viewed} />}
          <Box h={HEADER_HEIGHT}>
            <Header isNavigationOpen={isOpen} onToggleNavigation={navigation.toggle} />
          </Box>
        </AppShell.Header>
        <AppShell.Navbar aria-label={t('shell.navigation')}>
          {metadata === undefined ? (
            <NavigationSkeleton />
          ) : (
            <Navigation metadata={metadata} isNarrow={isNarrow} onToggle={toggleWidth} />
          )}
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <Content isReady={metadata !== undefined} error={error} onRetry={() => void refetch()} />
        </AppShell.Main>
      </AppShell>
      {metadata === undefined ? null : (
        <Suspense>
          <Palette metadata={metadata} />
          {viewed === null ? <Reminders /> : null}
        </Suspense>
      )}
      <HelpDialog />
    </>
  );
}

/** The page, once the metadata that every page needs is loaded. */
function Content(props: {
  readonly isReady: boolean;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  if (props.isReady) return <Outlet />;
  if (props.error === null) return <PageSkeleton />;
  return (
    <Box p="md">
      <LoadError error={props.error} onRetry={props.onRetry} />
    </Box>
  );
}

function NavigationSkeleton() {
  return (
    <Stack p="md" gap="xs" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((line) => (
        <Skeleton key={line} h={28} />
      ))}
    </Stack>
  );
}
