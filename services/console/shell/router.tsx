import { Stack } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  useRouter,
} from '@tanstack/react-router';
import { useMetadata } from '../api/metadata.ts';
import { useText } from '../language/language.tsx';
import { LoadError } from '../parts/page/load-error.tsx';
import { NotFound } from '../parts/page/not-found.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';
import { Shell } from './shell.tsx';
import { pagesOf, tabsOf } from './tabs.ts';

/** Accepts everything: pages parse the query string themselves and drop invalid parts. */
type Search = Readonly<Record<string, unknown>>;
const validateSearch = (search: Search): Search => search;

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageError,
  validateSearch,
});

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });

const records = createRoute({
  getParentRoute: () => root,
  path: '/records/$entity',
  component: lazyRouteComponent(() => import('../pages/records/records-page.tsx'), 'RecordsPage'),
});

const create = createRoute({
  getParentRoute: () => root,
  path: '/create/$entity',
  component: lazyRouteComponent(() => import('../pages/record/create-page.tsx'), 'CreatePage'),
});

const record = createRoute({
  getParentRoute: () => root,
  path: '/records/$entity/$id',
  component: lazyRouteComponent(() => import('../pages/record/record-page.tsx'), 'RecordPage'),
});

const convert = createRoute({
  getParentRoute: () => root,
  path: '/convert/$id',
  component: lazyRouteComponent(() => import('../pages/convert/convert-page.tsx'), 'ConvertPage'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(
    () => import('../pages/webhooks/webhooks-page.tsx'),
    'WebhooksPage',
  ),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(() => import('../pages/people/people-page.tsx'), 'PeoplePage'),
});

const newPerson = createRoute({
  getParentRoute: () => root,
  path: '/people/new/$kind',
  component: lazyRouteComponent(
    () => import('../pages/people/create-person-page.tsx'),
    'CreatePersonPage',
  ),
});

const person = createRoute({
  getParentRoute: () => root,
  path: '/people/$kind/$id',
  component: lazyRouteComponent(() => import('../pages/people/person-page.tsx'), 'PersonPage'),
});

const definitions = createRoute({
  getParentRoute: () => root,
  path: '/definitions',
  component: lazyRouteComponent(
    () => import('../pages/definitions/definitions-page.tsx'),
    'DefinitionsPage',
  ),
});

const definition = createRoute({
  getParentRoute: () => root,
  path: '/definitions/$entity',
  component: lazyRouteComponent(() => import('../pages/definitions/type-page.tsx'), 'TypePage'),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  component: lazyRouteComponent(
    () => import('../pages/overview/overview-page.tsx'),
    'OverviewPage',
  ),
});

const log = createRoute({
  getParentRoute: () => root,
  path: '/log',
  component: lazyRouteComponent(() => import('../pages/log/log-page.tsx'), 'LogPage'),
});

const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyRouteComponent(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
});

const ofRecords = [records, create, record, convert];
const ofWebhooks = [webhooks, webhook];
const ofPeople = [people, newPerson, person];
const ofDefinitions = [definitions, definition];
const ofOperations = [overview, log, system];
const routeTree = root.addChildren([
  home,
  ...ofRecords,
  ...ofWebhooks,
  ...ofPeople,
  ...ofDefinitions,
  ...ofOperations,
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

/** Administrators start with the overview, other users with the first entity type that they may read. */
function Home() {
  const metadata = useMetadata();
  const [page] = pagesOf(metadata);
  const [first] = tabsOf(metadata);
  if (page !== undefined && (first === undefined || page.to === '/overview')) {
    return <Navigate to={page.to} replace />;
  }
  if (first === undefined) return <NotFound />;
  return <Navigate to="/records/$entity" params={{ entity: first.name }} replace />;
}

/** Replaces a page that has thrown an error. The rest of the console keeps working. */
function PageError({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const t = useText();
  const router = useRouter();
  return (
    <Stack p="md">
      <PageTitle>{t('shell.bug')}</PageTitle>
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
