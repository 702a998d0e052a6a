import type { Route } from '../../infra/console/find-routes.ts';

/** The functions that findRoutes calls, and those that they call in turn. */
export const routeFunctions: readonly string[] = [
  'registerActivityRoutes',
  'registerAppRoutes',
  'registerAttachmentRoutes',
  'registerCalendars',
  'registerCommandRoutes',
  'registerCurrencyRates',
  'registerCurrencyRoutes',
  'registerDefinitionRoutes',
  'registerDeliveryRoutes',
  'registerDescriptionRoutes',
  'registerDocsPage',
  'registerExportRoutes',
  'registerFileRoutes',
  'registerHealth',
  'registerLayouts',
  'registerLeadRoutes',
  'registerGlobalSearch',
  'registerLinkRoutes',
  'registerMassActionRoutes',
  'registerMergeRoutes',
  'registerNoteRoutes',
  'registerQueryRoutes',
  'registerRecordActionRoutes',
  'registerRecordReads',
  'registerRecordRoutes',
  'registerReplayRoutes',
  'registerSessionRoutes',
  'registerStreamRoutes',
  'registerTeamRoutes',
  'registerUserAcl',
  'registerUserSecurityRoutes',
  'registerUsersAccess',
  'registerWebhookRecordRoutes',
  'registerWebhookRoutes',
];

/** The route that a path leads to: what is written out counts before what is open, from left to right. */
export function routeAt(routes: readonly Route[], method: string, path: string): Route | undefined {
  const segments = path.split('/');
  const rank = ({ url }: Route) =>
    url
      .split('/')
      .map((part) => (part.startsWith(':') ? '1' : '0'))
      .join('');
  return routes
    .filter((route) => route.method === method && fits(route.url.split('/'), segments))
    .toSorted((left, right) => rank(left).localeCompare(rank(right)))[0];
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith(':') || part === segments[index])
  );
}
