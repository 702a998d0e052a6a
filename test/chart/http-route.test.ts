import { describe, expect, it } from 'vitest';
import { findRoutes } from '../../infra/console/find-routes.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { findQueryRoutes } from '../support/query-routes.ts';
import { provideHelms } from './chart-programs.ts';
import { findObject, renderObjects } from './render-chart.ts';
import { valueSets } from './value-sets.ts';

interface Rule {
  readonly matches: readonly {
    readonly path: { readonly value: string };
    readonly method?: string;
  }[];
  readonly backendRefs: readonly { readonly name: string }[];
}

const { helm, obstacle } = await provideHelms();

/** Returns the backend of a request as Gateway API defines it: longer prefixes first, then rules with a method. */
function backendOf(rules: readonly Rule[], method: string, path: string): string | undefined {
  const found = rules.flatMap(({ matches, backendRefs: [backend] }) =>
    matches
      .filter((match) => match.method === undefined || match.method === method)
      .filter(
        ({ path: { value } }) => path === value || path.startsWith(value.replace(/\/?$/, '/')),
      )
      .map((match) => ({
        rank: match.path.value.length * 2 + (match.method === undefined ? 0 : 1),
        backend: backend?.name,
      })),
  );
  return found.toSorted((left, right) => right.rank - left.rank)[0]?.backend;
}

describe.skipIf(obstacle !== undefined)(`the HTTPRoute${becauseOf(obstacle)}`, () => {
  it('sends to query processes only reads that they serve', { timeout: 60_000 }, async () => {
    const objects = await renderObjects(helm, valueSets['everything'] ?? {});
    const { rules } = findObject(objects, 'HTTPRoute', 'annals-api')['spec'];
    const served = await findQueryRoutes();
    const { routes } = await findRoutes();
    expect(served.size).toBeGreaterThan(30);
    const wrong = routes.flatMap(({ method, url }) => {
      const backend = backendOf(rules, method, url.replaceAll(/:\w+/g, 'x'));
      const isRead = method === 'GET' && served.has(url);
      return backend === 'annals-api' || (isRead && backend === 'annals-query')
        ? []
        : [`${method} ${url}: ${backend}`];
    });
    expect(wrong).toEqual([]);
    for (const path of ['/api/v1/Contact', '/api/v1/Contact/1', '/api/v1/Contact/1/history'])
      expect(backendOf(rules, 'GET', path)).toBe('annals-query');
  });
});
