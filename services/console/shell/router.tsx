import { Stack } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  type RouteComponent,
  useRouter,
} from '@tanstack/react-router';
import { useText } from '../language/language.tsx';
import { LoadError } from '../parts/page/load-error.tsx';
import { NotFound } from '../parts/page/not-found.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';
import { Home } from './home.tsx';
import { Shell } from './shell.tsx';

/** Accepts everything: pages parse the query string themselves and drop invalid parts. */
type Search = Readonly<Record<string, unknown>>;
const validateSearch = (search: Search): Search => search;

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageError,
  validateSearch,
});

function page<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component });
}

const HappenedPage = lazy(() => import('../pages/happened/happened-page.tsx'), 'HappenedPage');

const routeTree = root.addChildren([
  page('/', Home),
  page(
    '/home',
    lazy(() => import('../pages/home/home-page.tsx'), 'HomePage'),
  ),
  page(
    '/records/$entity',
    lazy(() => import('../pages/records/records-page.tsx'), 'RecordsPage'),
  ),
  page(
    '/board/$entity',
    lazy(() => import('../pages/board/board-page.tsx'), 'BoardPage'),
  ),
  page(
    '/calendar',
    lazy(() => import('../pages/calendar/calendar-page.tsx'), 'CalendarPage'),
  ),
  page(
    '/create/$entity',
    lazy(() => import('../pages/record/create-page.tsx'), 'CreatePage'),
  ),
  page(
    '/records/$entity/$id',
    lazy(() => import('../pages/record/record-page.tsx'), 'RecordPage'),
  ),
  page(
    '/convert/$id',
    lazy(() => import('../pages/convert/convert-page.tsx'), 'ConvertPage'),
  ),
  page(
    '/import',
    lazy(() => import('../pages/import/import-page.tsx'), 'ImportPage'),
  ),
  page(
    '/recent',
    lazy(() => import('../pages/recent/recent-page.tsx'), 'RecentPage'),
  ),
  page(
    '/bin',
    lazy(() => import('../pages/bin/bin-page.tsx'), 'BinPage'),
  ),
  page(
    '/webhooks',
    lazy(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  ),
  page(
    '/webhooks/$id',
    lazy(() => import('../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
  ),
  page(
    '/people',
    lazy(() => import('../pages/people/people-page.tsx'), 'PeoplePage'),
  ),
  page(
    '/people/new/$kind',
    lazy(() => import('../pages/people/create-person-page.tsx'), 'CreatePersonPage'),
  ),
  page(
    '/people/$kind/$id',
    lazy(() => import('../pages/people/person-page.tsx'), 'PersonPage'),
  ),
  page(
    '/profile',
    lazy(() => import('../pages/profile/profile-page.tsx'), 'ProfilePage'),
  ),
  page(
    '/definitions',
    lazy(() => import('../pages/definitions/definitions-page.tsx'), 'DefinitionsPage'),
  ),
  page(
    '/definitions/$entity',
    lazy(() => import('../pages/definitions/type-page.tsx'), 'TypePage'),
  ),
  page(
    '/overview',
    lazy(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  page(
    '/log',
    lazy(() => import('../pages/log/log-page.tsx'), 'LogPage'),
  ),
  page('/happened', HappenedPage),
  page('/happened/$id', HappenedPage),
  page(
    '/system',
    lazy(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
  ),
]);

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: PageError,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

/** Replaces a page that has thrown an error. The rest of the console keeps working. */
function PageError({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const t = useText();
  const router = useRouter();
  return (
    <Stack p="md">
      <PageTitle>{t('errors.bug')}</PageTitle>
      <LoadError
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Stack>
  );
}
