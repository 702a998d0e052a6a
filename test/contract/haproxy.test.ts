import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRoutes } from '../../infra/console/find-routes.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { haproxyObstacle } from '../support/harness/haproxy.ts';
import { findQueryRoutes, isForQuery, readApiOnlyNames } from '../support/query-routes.ts';

const config = join(import.meta.dirname, '..', '..', 'infra', 'haproxy', 'haproxy.cfg');

it.skipIf(haproxyObstacle !== undefined)(
  `haproxy.cfg is valid${becauseOf(haproxyObstacle)}`,
  () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', config], {
      env: { ...process.env, ANNALS_CERTIFICATES: '' },
      encoding: 'utf8',
    });
    // The names of the containers cannot be resolved here.
    const problems = stderr
      .split('\n')
      .filter((line) => /^\[(?:WARNING|ALERT)\]/.test(line) && !line.includes('could not resolve'));
    expect({ status, problems }).toEqual({ status: 0, problems: [] });
  },
);

it('sends to query processes only reads that they serve', async () => {
  const served = await findQueryRoutes();
  const { routes } = await findRoutes();
  const sent = routes.filter(isForQuery);
  expect(sent.length).toBeGreaterThan(30);
  expect(sent.filter(({ url }) => !served.has(url))).toEqual([]);
});

it('lists as served only by apis no name without a route', async () => {
  const { routes } = await findRoutes();
  const unused = readApiOnlyNames().filter(
    (name) => !routes.some(({ url }) => url.startsWith(`/api/v1/${name}`)),
  );
  expect(unused).toEqual([]);
});
