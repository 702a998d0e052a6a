import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forbiddenHosts } from '../../../test/support/bad-input/forbidden-hosts.ts';
import { type NameServer, startNameServer } from '../../../test/support/receivers/name-server.ts';
import { createOpenableGuard } from '../../../test/support/receivers/target-guard.ts';
import { createWebhookUrlValidator, noUrlProblems } from './validate-webhook-url.ts';

let names: NameServer;

beforeAll(async () => {
  names = await startNameServer();
  names.put('hooks.test', (kind) => (kind === 'A' ? ['8.8.8.8'] : ['2600::1']));
  names.put('mixed.test', (kind) => (kind === 'A' ? ['8.8.8.8', '10.0.0.1'] : []));
  names.put('six.test', (kind) => (kind === 'A' ? ['8.8.8.8'] : ['::1']));
  names.put('failing.test', () => 'failure');
});

afterAll(async () => names.close());

function validate(url: string, ...opened: readonly string[]) {
  const guard = createOpenableGuard([names.address]);
  guard.open(...opened);
  return createWebhookUrlValidator(guard)(url);
}

describe('the URL of a webhook', () => {
  it('is accepted when its name resolves only to public addresses', async () => {
    expect(await validate('https://hooks.test/a?b')).toEqual(noUrlProblems);
    expect(await validate('https://8.8.8.8:9443')).toEqual(noUrlProblems);
  });

  it.each([
    ['https://mixed.test', 'its name resolves to a private address'],
    ['https://six.test', 'its name resolves to an IPv6 address that is not public'],
    ['https://localhost', 'it names this machine'],
    ['https://169.254.169.254/latest', 'its host is a link-local address'],
    ['http://hooks.test', 'it is not https'],
  ])('is rejected as internal: %s', async (url, reason) => {
    const message = `url may not be used for a webhook: ${reason}.`;
    const problems = [{ field: 'url', type: 'notInternal', message }];
    expect(await validate(url)).toEqual({ problems, warnings: [] });
  });

  it.each([
    ['https://unknown.test', 'ENOTFOUND'],
    ['https://failing.test', 'ESERVFAIL'],
  ])('is accepted with a warning while its name does not resolve: %s', async (url, code) => {
    const reason = `its name cannot be resolved (${code})`;
    const warnings = [`Nothing can be delivered to url for now: ${reason}.`];
    expect(await validate(url)).toEqual({ problems: [], warnings });
  });

  it('is rejected as invalid when it contains user info', async () => {
    expect(await validate('https://user:pw@hooks.test')).toMatchObject({
      problems: [{ type: 'valid' }],
    });
  });

  it('is not resolved if the operator allowed its name', async () => {
    expect(await validate('http://opened.test:8080', 'opened.test:8080')).toEqual(noUrlProblems);
    expect(names.queries('opened.test')).toEqual([]);
  });

  it('is rejected with a forbidden host in any spelling', async () => {
    for (const host of Object.values(forbiddenHosts).flat()) {
      const { problems } = await validate(`https://${host}/`);
      expect(problems, host).toHaveLength(1);
    }
  });
});
