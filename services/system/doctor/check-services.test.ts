import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createMetrics } from '../../../shared/runtime/metrics.ts';
import { version } from '../../../shared/runtime/version.ts';
import { anObserved } from '../../../test/support/builders/observed.ts';
import { checkServices } from './check-services.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a process that is ready and has these metrics. Returns its port. */
async function startProcess(metrics: string, clockAheadMs = 0): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    response.setHeader('date', new Date(Date.now() + clockAheadMs).toUTCString());
    response.end(request.url === '/metrics' ? metrics : '{"ready":true}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function check(ports: Readonly<Record<string, number>>) {
  const processes = new Map(
    Object.entries(ports).map(([name, port]) => [`http://127.0.0.1:${port}/readyz`, name]),
  );
  const { presence, readiness } = await checkServices(anObserved({}), {
    processes,
    api: undefined,
    hasKafka: false,
  });
  return [...presence, ...readiness];
}

it('reports processes with different versions', async () => {
  const metrics = await createMetrics('api').text();
  const current = await startProcess(metrics);
  const older = await startProcess(metrics.replace(`version="${version}"`, 'version="0.0.9"'));
  expect(await check({ api: current })).toContainEqual({
    about: 'services',
    verdict: 'ok',
    code: 'services.sameVersion',
    parameters: { version, own: version },
    says: `All processes run version ${version}, as this command does.`,
  });
  const versions = `0.0.9 (projector at 127.0.0.1:${older}), ${version} (api at 127.0.0.1:${current})`;
  expect(await check({ api: current, projector: older })).toContainEqual({
    about: 'services',
    verdict: 'warning',
    code: 'services.versionsDiffer',
    parameters: { versions },
    says: `The processes run different versions: ${versions}.`,
    remedy: expect.stringContaining('Upgrading'),
  });
});

it('reports no version of a process that does not respond', async () => {
  const current = await startProcess('');
  const findings = await check({ api: current, projector: 1 });
  expect(findings.map(({ says }) => says)).toEqual([
    'The projector process does not respond at 127.0.0.1:1.',
    'The clocks of all processes agree with the clock of this host.',
    'The api process is ready.',
  ]);
});

it('reports clock offsets with the duration of the request as uncertainty', async () => {
  const metrics = await createMetrics('api').text();
  const [right, slow, fast] = await Promise.all(
    [0, -60_000, 10_000].map((ahead) => startProcess(metrics, ahead)),
  );
  expect(await check({ api: right ?? 0 })).toContainEqual({
    about: 'services',
    verdict: 'ok',
    code: 'clock.allSame',
    says: 'The clocks of all processes agree with the clock of this host.',
  });
  const clocks = (
    await check({ api: right ?? 0, projector: slow ?? 0, dispatcher: fast ?? 0 })
  ).filter(({ says }) => says.includes('the clock of this host'));
  expect(clocks).toEqual([
    {
      about: 'services',
      verdict: 'fault',
      code: 'clock.behind',
      parameters: {
        clock: `projector at 127.0.0.1:${slow}`,
        seconds: expect.stringMatching(/^(?:59|60|61)[.]\d$/),
      },
      says: expect.stringMatching(
        `^The clock of projector at 127.0.0.1:${slow} is (?:59|60|61)[.]\\d s behind the clock of this host[.]$`,
      ),
      remedy: expect.stringContaining('NTP'),
    },
    {
      about: 'services',
      verdict: 'warning',
      code: 'clock.ahead',
      parameters: {
        clock: `dispatcher at 127.0.0.1:${fast}`,
        seconds: expect.stringMatching(/^(?:9|10)[.]\d$/),
      },
      says: expect.stringMatching(
        `^The clock of dispatcher at 127.0.0.1:${fast} is (?:9|10)[.]\\d s ahead of the clock of this host[.]$`,
      ),
      remedy: expect.stringContaining('NTP'),
    },
  ]);
});
