import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { receive } from './receive.ts';

const secret = 'ab'.repeat(32);
const body = '[{"id":"1"}]';
const opened: Server[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(secretOption: string | undefined, { isJson = true } = {}) {
  const lines: string[] = [];
  const options = {
    port: 0,
    status: 202,
    ...(secretOption === undefined ? {} : { secret: secretOption }),
  };
  const output = { print: (line: string) => void lines.push(line) };
  const server = await receive({ isJson, output }, options);
  opened.push(server);
  return { lines, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function send(secretOption: string | undefined, sent = body, at = Date.now() / 1000) {
  const { lines, url } = await listen(secretOption);
  const timestamp = `${Math.floor(at)}`;
  const signature = createHmac('sha256', secret).update(`b1.${timestamp}.${body}`).digest('base64');
  const { status } = await fetch(url, {
    method: 'POST',
    body: sent,
    headers: {
      'webhook-id': 'b1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'x-webhook-event': 'Account.create',
      'x-webhook-attempt': '1',
    },
  });
  return { status, shown: JSON.parse(lines[0] ?? '') };
}

describe('the demo receiver', () => {
  it.each([secret, `whsec_${Buffer.from(secret).toString('base64')}`])(
    'verifies the signature with %s and shows the request',
    async (secretOption) => {
      expect(await send(secretOption)).toEqual({
        status: 202,
        shown: {
          id: 'b1',
          event: 'Account.create',
          attempt: '1',
          verdict: 'verified',
          body: [{ id: '1' }],
        },
      });
    },
  );

  it('reports a signature for another body, with another secret or with an old timestamp', async () => {
    expect((await send(secret, '[]')).shown.verdict).toBe('NOT VERIFIED');
    expect((await send('another')).shown.verdict).toBe('NOT VERIFIED');
    expect((await send(secret, body, 0)).shown.verdict).toBe('NOT VERIFIED');
  });

  it('reports a body as not checked when no secret is set', async () => {
    expect((await send(undefined, 'plain')).shown).toMatchObject({
      verdict: 'not checked',
      body: 'plain',
    });
  });

  it.each([
    ['GET', { headers: { 'webhook-id': 'b1', 'x-webhook-event': 'Account.create' } }],
    ['POST', { body: 'x'.repeat(100_000) }],
  ])('prints a %s that is not a webhook on one line', async (method, parts) => {
    const people = await listen(secret, { isJson: false });
    const first = await fetch(`${people.url}/icon?a=b`, { method, ...parts });
    expect([first.status, await first.text()]).toEqual([404, '']);
    expect(people.lines).toEqual([
      `Waiting for webhooks at ${people.url}/`,
      `Ignored, not a webhook: ${method} /icon?a=b`,
    ]);
    const programs = await listen(secret);
    await fetch(`${programs.url}/${'y'.repeat(200)}`, { method, ...parts });
    expect(programs.lines).toEqual([`{"ignored":"${method} /${'y'.repeat(49)}"}`]);
  });
});
