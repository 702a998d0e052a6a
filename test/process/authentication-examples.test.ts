import { execFile } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProjectFile } from '../contract/source-files.ts';
import { createApiClient } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';

const cwd = makeTestDirectory();
let product: StartedProduct;

beforeAll(async () => {
  product = await startProduct({
    env: {
      API_RATE_LIMIT: '100',
      API_CORS_ORIGINS: 'https://app.example',
      TRUSTED_PROXIES: '127.0.0.0/8',
    },
  });
});

afterAll(async () => {
  rmSync(cwd, { recursive: true });
  await product?.remove();
});

it('every example of docs/reference/authentication.md runs', async () => {
  const document = readProjectFile('docs/reference/authentication.md');
  const blocks = [...document.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(4);
  symlinkSync(product.dataDir, join(cwd, '.annals'));
  const script = ['set -euo pipefail', ...blocks].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd });
  expect(stdout).toContain('"assignmentPermission":"all"');
  expect(stdout).toContain('"list":[]');
  expect(stdout).toContain('otpauth://totp/');
  expect(stdout.trimEnd()).toContain('}true{');
});

it('rate limits, CORS and login limits work as configured', async () => {
  const { apiKey, user } = product.access();
  const client = createApiClient(product.url, withApiKey(apiKey));
  const { headers } = await client.get('/App/user', { Origin: 'https://app.example' });
  expect(headers).toMatchObject({
    'ratelimit-limit': '100',
    'access-control-allow-origin': 'https://app.example',
  });
  const many = await Promise.all(Array.from({ length: 300 }, () => client.get('')));
  const refused = many.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(50);
  expect(refused[0]?.headers['retry-after']).toBe('1');
  await sleep(1_100);

  const guess = client.as(withPassword({ ...user, password: 'guess' }));
  const from = { 'X-Forwarded-For': '198.51.100.1' };
  for (let count = 0; count < 11; count++) {
    expect((await guess.get('/App/user', from)).status).toBe(401);
  }
  expect((await guess.get('/App/user', from)).status).toBe(403);
  const other = client.as(withPassword(user));
  expect((await other.get('/App/user', { 'X-Forwarded-For': '198.51.100.2' })).status).toBe(200);
  client.close();
});
