import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { NotFound } from '../parts/not-found.tsx';
import { Home } from './home.tsx';
import { PageError } from './page-error.tsx';
import { Shell } from './shell.tsx';

/** Pages read the search of their address themselves, and leave out what they do not understand. */
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

const routeTree = root.addChildren([home, records, create, record, webhooks, webhook]);

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
