import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forbiddenHosts } from '../../../test/support/bad-input/forbidden-hosts.ts';
import { type NameServer, startNameServer } from '../../../test/support/receivers/name-server.ts';
import { createOpenableGuard } from '../../../test/support/receivers/target-guard.ts';
import { createJudgeWebhookUrl, unjudged } from './judge-webhook-url.ts';

let names: NameServer;

beforeAll(async () => {
  names = await startNameServer();
  names.put('hooks.test', (kind) => (kind === 'A' ? ['8.8.8.8'] : ['2600::1']));
  names.put('mixed.test', (kind) => (kind === 'A' ? ['8.8.8.8', '10.0.0.1'] : []));
  names.put('six.test', (kind) => (kind === 'A' ? ['8.8.8.8'] : ['::1']));
  names.put('failing.test', () => 'failure');
});

afterAll(async () => names.close());

function judge(url: string, ...opened: readonly string[]) {
  const guard = createOpenableGuard([names.address]);
  guard.open(...opened);
  return createJudgeWebhookUrl(guard)(url);
}

describe('the url of a webhook', () => {
  it('is taken when all addresses of its name are public', async () => {
    expect(await judge('https://hooks.test/a?b')).toEqual(unjudged);
    expect(await judge('https://8.8.8.8:9443')).toEqual(unjudged);
  });

  it.each([
    ['https://mixed.test', 'its name resolves to a private address'],
    ['https://six.test', 'its name resolves to an IPv6 address that is not public'],
    ['https://localhost', 'it names this machine'],
    ['https://169.254.169.254/latest', 'its host is a link-local address'],
    ['http://hooks.test', 'it is not https'],
  ])('is refused as internal: %s', async (url, reason) => {
    const message = `url may not be used for a webhook: ${reason}.`;
    const problems = [{ field: 'url', type: 'notInternal', message }];
    expect(await judge(url)).toEqual({ problems, warnings: [] });
  });

  it.each([
    ['https://unknown.test', 'ENOTFOUND'],
    ['https://failing.test', 'ESERVFAIL'],
  ])('is taken with a warning while its name does not resolve: %s', async (url, code) => {
    const reason = `its name cannot be resolved (${code})`;
    const warnings = [`Nothing can be delivered to url for now: ${reason}.`];
    expect(await judge(url)).toEqual({ problems: [], warnings });
  });

  it('is refused as no valid one when it holds user info', async () => {
    expect(await judge('https://user:pw@hooks.test')).toMatchObject({
      problems: [{ type: 'valid' }],
    });
  });

  it('is not resolved when the operator opened its name', async () => {
    expect(await judge('http://opened.test:8080', 'opened.test:8080')).toEqual(unjudged);
    expect(names.queries('opened.test')).toEqual([]);
  });

  it('is never taken with a forbidden host, however it is spelled', async () => {
    for (const host of Object.values(forbiddenHosts).flat()) {
      const { problems } = await judge(`https://${host}/`);
      expect(problems, host).toHaveLength(1);
    }
  });
});
