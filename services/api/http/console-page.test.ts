import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../shared/http/server/build-server.ts';
import { registerConsolePage } from './console-page.ts';

const directory = mkdtempSync(join(tmpdir(), 'annals-console-page-'));
const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 100 });
const asBrowser = { accept: 'text/html,application/xhtml+xml' };

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<script nonce="__NONCE__"></script>');
  writeFileSync(join(directory, 'assets', 'main-1.js'), '1;');
  server.get('/api/v1/:entity/:id', () => ({}));
  await registerConsolePage(server, directory);
  await server.ready();
});

afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

describe('the console page', () => {
  it.each(['/', '/records/Account?orderBy=name'])('is returned to a browser at %s', async (url) => {
    const { statusCode, headers, body } = await server.inject({ url, headers: asBrowser });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'");
    const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(body).toBe(`<script nonce="${nonce}"></script>`);
  });

  it.each([
    ['GET', '/api/v1/nothing/at/all', asBrowser, 404],
    ['GET', '/nothing', { accept: 'application/json' }, 404],
    ['POST', '/nothing', asBrowser, 404],
    ['PUT', '/api/v1/Account/1', asBrowser, 405],
    ['GET', `/api/v1/Account/${'x'.repeat(4_000)}`, {}, 400],
  ] as const)('is not returned for %s %.30s', async (method, url, headers, status) => {
    const answer = await server.inject({ method, url, headers });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      status,
      'application/json',
    ]);
  });

  it('loads cacheable files that have the same policy', async () => {
    const { statusCode, headers } = await server.inject('/assets/main-1.js');
    expect([statusCode, headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});
