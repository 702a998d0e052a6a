import type { Route } from '../../infra/console/find-routes.ts';
import { findAll, readSources } from './source-files.ts';

/** Names of all functions that findRoutes calls to register routes, directly and indirectly. */
export const routeFunctions: readonly string[] = findCalled('registerAllRoutes');

function findCalled(first: string): readonly string[] {
  const sources = readSources(
    'services/api',
    'services/command',
    'services/query',
    'services/system',
  );
  const called = new Set([first]);
  for (const name of called) {
    const source = sources.filter((text) => text.includes(`function ${name}(`));
    for (const next of findAll(source, /\b(register[A-Z]\w+)\b/g)) called.add(next);
  }
  return [...called];
}

/** Returns the route of a path. Literal segments take precedence over parameters, from left to right. */
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
