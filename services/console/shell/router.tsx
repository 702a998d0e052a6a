import { Stack } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  type RouteComponent,
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

function page<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component });
}

const home = page('/', Home);
const records = page(
  '/records/$entity',
  lazyRouteComponent(() => import('../pages/records/records-page.tsx'), 'RecordsPage'),
);
const create = page(
  '/create/$entity',
  lazyRouteComponent(() => import('../pages/record/create-page.tsx'), 'CreatePage'),
);
const record = page(
  '/records/$entity/$id',
  lazyRouteComponent(() => import('../pages/record/record-page.tsx'), 'RecordPage'),
);
const convert = page(
  '/convert/$id',
  lazyRouteComponent(() => import('../pages/convert/convert-page.tsx'), 'ConvertPage'),
);
const webhooks = page(
  '/webhooks',
  lazyRouteComponent(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
);
const webhook = page(
  '/webhooks/$id',
  lazyRouteComponent(() => import('../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
);
const people = page(
  '/people',
  lazyRouteComponent(() => import('../pages/people/people-page.tsx'), 'PeoplePage'),
);
const newPerson = page(
  '/people/new/$kind',
  lazyRouteComponent(() => import('../pages/people/create-person-page.tsx'), 'CreatePersonPage'),
);
const person = page(
  '/people/$kind/$id',
  lazyRouteComponent(() => import('../pages/people/person-page.tsx'), 'PersonPage'),
);
const definitions = page(
  '/definitions',
  lazyRouteComponent(() => import('../pages/definitions/definitions-page.tsx'), 'DefinitionsPage'),
);
const definition = page(
  '/definitions/$entity',
  lazyRouteComponent(() => import('../pages/definitions/type-page.tsx'), 'TypePage'),
);
const overview = page(
  '/overview',
  lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
);
const log = page(
  '/log',
  lazyRouteComponent(() => import('../pages/log/log-page.tsx'), 'LogPage'),
);
const system = page(
  '/system',
  lazyRouteComponent(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
);

const routeTree = root.addChildren([
  home,
  ...[records, create, record, convert],
  ...[webhooks, webhook],
  ...[people, newPerson, person],
  ...[definitions, definition],
  ...[overview, log, system],
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
