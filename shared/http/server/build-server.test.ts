import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal, Unavailable, WriteUnread } from '../../domain/errors.ts';
import { sendJson } from '../send-json.ts';
import { buildServer, normalizeUrl } from './build-server.ts';

const bugs: unknown[] = [];
const log = pino({ level: 'silent' });

function buildExample() {
  const server = buildServer({ log, bodyLimitBytes: 100, onBug: (error) => bugs.push(error) });
  server.get('/api/v1/Contact', () => ({ total: 0, list: [] }));
  server.get('/api/v1/Contact/:id', ({ params }) => params);
  server.get('/tagged', (_request, reply) => reply.header('etag', '"v7"').send({}));
  server.get('/bare', (_request, reply) => sendJson(reply, 'Gr\u00f6\u00dfe \u{1f642}'));
  server.get('/own', (_request, reply) => reply.header('cache-control', 'max-age=1').send({}));
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    server.route({
      method,
      url: '/api/v1/Contact',
      handler: ({ body }) => ({ body: body ?? 'none' }),
    });
  }
  server.get('/refuse', () => {
    throw new Refusal('conflict', 'record.exists', 'Gr\u00f6\u00dfe \u{1f642}\nexists.', {
      messageTranslation: { label: 'x', scope: null, data: {} },
    });
  });
  server.get('/unread', () => {
    throw new WriteUnread('a', 'r1-7');
  });
  server.get('/unavailable', () => {
    throw new Unavailable('Kafka is away.', { retryAfterSeconds: 7 });
  });
  server.get('/bug', () => {
    throw new TypeError('secret detail');
  });
  return server;
}

const server = buildExample();
afterEach(() => bugs.splice(0));

describe('a response', () => {
  it('is JSON without a charset', async () => {
    const response = await server.inject('/api/v1/Contact');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.json()).toEqual({ total: 0, list: [] });
  });

  it('is JSON without a charset if the body is plain text', async () => {
    const { headers, rawPayload } = await server.inject('/bare');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '14',
      'x-content-type-options': 'nosniff',
    });
    expect(rawPayload).toEqual(Buffer.from('"Gr\u00f6\u00dfe \u{1f642}"'));
  });

  it.each(['//api/v1/Contact', '/api/v1/Contact/', '/api/v1//Contact/?x=1'])(
    'is returned for the path %s',
    async (url) => {
      expect((await server.inject(url)).statusCode).toBe(200);
    },
  );

  it.each([
    ['/api/v1/Contact', 'no-store'],
    ['/refuse', 'no-store'],
    ['/bug', 'no-store'],
    ['/nowhere', 'no-store'],
    ['/tagged', 'private, no-cache'],
    ['/own', 'max-age=1'],
  ])('from %s has Cache-Control: %s', async (url, caching) => {
    expect((await server.inject(url)).headers['cache-control']).toBe(caching);
  });

  it('has the headers of GET and no body for HEAD', async () => {
    const response = await server.inject({ method: 'HEAD', url: '/api/v1/Contact' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['content-length']).toBe('21');
    expect(response.body).toBe('');
  });

  it('lists the methods for OPTIONS', async () => {
    const response = await server.inject({ method: 'OPTIONS', url: '/api/v1/Contact' });
    expect(response.statusCode).toBe(204);
    expect(response.headers['allow']).toBe('DELETE, GET, HEAD, OPTIONS, POST, PUT');
  });
});

describe('a body', () => {
  const send = async (body: string | Buffer | undefined, contentType?: string) => {
    const headers = contentType === undefined ? {} : { 'content-type': contentType };
    const payload = body === undefined ? {} : { payload: body };
    return server.inject({ method: 'POST', url: '/api/v1/Contact', headers, ...payload });
  };

  it.each(['application/json', 'application/json; charset=UTF-8', 'APPLICATION/JSON;a=b'])(
    'is parsed with the type %s',
    async (contentType) => {
      expect((await send('{"a":[1]}', contentType)).json()).toEqual({ body: { a: [1] } });
    },
  );

  it.each(['application/json', 'text/plain', 'nonsense', '', undefined])(
    'may be empty with content type %s',
    async (contentType) => {
      for (const method of ['POST', 'DELETE'] as const) {
        const headers = contentType === undefined ? {} : { 'content-type': contentType };
        const response = await server.inject({ method, url: '/api/v1/Contact', headers });
        expect(response.statusCode).toBe(200);
        expect(response.json()).toEqual({ body: 'none' });
      }
    },
  );

  it.each([
    ['{"a":1,}', 'The body is not valid JSON: unexpected text at position 7.'],
    ['{"a":', 'The body is not valid JSON: it ends too early, at position 5.'],
    [Buffer.from([0x22, 0xff, 0x22]), 'The body is not valid JSON: it is not UTF-8.'],
  ])('returns 400 with the position if it is not JSON: %j', async (body, message) => {
    const response = await send(body, 'application/json');
    expect(response.statusCode).toBe(400);
    expect(response.headers['x-status-reason']).toBe(message);
    expect(response.json()).toEqual({ message, code: 'body.malformed' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
    'returns 400 with the type %s',
    async (contentType) => {
      const response = await send('a=1', contentType);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'body.content_type' });
    },
  );

  it('returns 400 without a type or with compression', async () => {
    const response = await send(Buffer.from('{}'));
    expect(response.statusCode).toBe(400);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const packed = await server.inject({
      method: 'POST',
      url: '/api/v1/Contact',
      headers,
      payload: '{}',
    });
    expect(packed.json()).toMatchObject({ code: 'body.content_encoding' });
  });

  it('returns 413 over the limit', async () => {
    const response = await send(JSON.stringify('x'.repeat(100)), 'application/json');
    expect(response.statusCode).toBe(413);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.json()).toEqual({ message: 'The body is too large.', code: 'body.too_large' });
  });

  it('returns 400 if it is nested too deeply', async () => {
    const roomy = buildServer({ log, bodyLimitBytes: 1_000_000 });
    roomy.post('/', ({ body }) => ({ body }));
    const post = (payload: string) =>
      roomy.inject({
        method: 'POST',
        url: '/',
        payload,
        headers: { 'content-type': 'application/json' },
      });
    const deep = '['.repeat(400_000) + ']'.repeat(400_000);
    expect((await post(deep)).json()).toMatchObject({ code: 'body.too_deep' });
    expect(
      (await post(`${'['.repeat(512)}"${'x'.repeat(2_000)}"${']'.repeat(512)}`)).statusCode,
    ).toBe(200);
  });
});

describe('an error', () => {
  it('has a JSON body and a reason header of one Latin-1 line', async () => {
    const response = await server.inject('/refuse');
    expect(response.statusCode).toBe(409);
    expect(response.headers['x-status-reason']).toBe('Gr\u00f6\u00dfe    exists.');
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.json()).toEqual({
      message: 'Gr\u00f6\u00dfe \u{1f642}\nexists.',
      code: 'record.exists',
      messageTranslation: { label: 'x', scope: null, data: {} },
    });
    expect(bugs).toEqual([]);
  });

  it('contains the record and the token of a change that is not readable yet', async () => {
    const response = await server.inject({ url: '/unread' });
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ 'retry-after': '1', 'x-consistency-token': 'r1-7' });
    expect(response.json()).toMatchObject({ code: 'write.unread', recordId: 'a' });
  });

  it('is an RFC 9457 problem if the request accepts one', async () => {
    const response = await server.inject({
      url: '/refuse',
      headers: { accept: 'application/problem+json, application/json' },
    });
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.json()).toMatchObject({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      code: 'record.exists',
    });
  });

  it('has Retry-After during an outage', async () => {
    const response = await server.inject('/unavailable');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('7');
    expect(response.json()).toEqual({ message: 'Kafka is away.', code: 'service.unavailable' });
  });

  it('reveals nothing about a bug, and the bug is reported', async () => {
    const response = await server.inject('/bug');
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('secret');
    expect(response.headers['x-status-reason']).toBe('Internal error.');
    expect(bugs).toEqual([new TypeError('secret detail')]);
  });

  it.each(['/nowhere', '/api/v1/Contact/1/2/3', '/__proto__', '/api/v1/Contact%2F1%2F2', '/%00'])(
    'has status 404 for the unknown path %s',
    async (url) => {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        const response = await server.inject({ method, url });
        expect(response.statusCode).toBe(404);
        expect(response.headers['content-type']).toBe('application/json');
        expect(response.json()).toMatchObject({ code: 'route.not_found' });
      }
    },
  );

  it('has status 405 and Allow for an unsupported method of a known path', async () => {
    for (const method of ['PUT', 'TRACE', 'PROPFIND'] as const) {
      const response = await server.inject({ method: method as 'PUT', url: '/api/v1/Contact/1' });
      expect(response.statusCode).toBe(405);
      expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
      expect(response.json()).toMatchObject({ code: 'route.method_not_allowed' });
    }
  });

  it('has status 405 for an unsupported method of an action', async () => {
    const other = buildServer({ log, bodyLimitBytes: 100 });
    other.post('/api/v1/Lead/action/convert', () => true);
    other.get<{ Params: { readonly link: string } }>('/api/v1/:entity/:id/:link', ({ params }) => {
      if (params.link === 'contacts') return [];
      throw new Refusal('not_found', 'link.unknown', 'The link does not exist.');
    });
    const wrong = await other.inject('/api/v1/Lead/action/convert');
    expect([wrong.statusCode, wrong.headers['allow']]).toEqual([405, 'OPTIONS, POST']);
    expect(wrong.json()).toMatchObject({ code: 'route.method_not_allowed' });
    expect((await other.inject('/api/v1/Lead/action/contacts')).statusCode).toBe(200);
    expect((await other.inject('/api/v1/Lead/1/none')).statusCode).toBe(404);
  });

  it.each([
    '/api/v1/Contact/%',
    '/api/v1/Contact/%c3%28',
    '/%zz',
    `/api/v1/Contact/${'x'.repeat(5_000)}`,
  ])('has status 400 in the same form for %.40s', async (url) => {
    const response = await server.inject(url);
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['x-status-reason']).toMatch(/path/);
    expect(response.json()['code']).toMatch(/^path\./);
  });
});

describe('input that is not HTTP', () => {
  it.each([
    ['NONSENSE\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('gets an HTTP response: %.20j', async (bytes, status) => {
    const open = buildExample();
    await open.listen({ host: '127.0.0.1', port: 0 });
    const { port } = open.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk));
    socket.write(bytes);
    await once(socket, 'close');
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('Content-Type: application/json\r\n');
    expect(answer).toContain('X-Status-Reason: ');
    await open.close();
  });
});

describe('a URL', () => {
  it.each([
    ['/api/v1/Contact', '/api/v1/Contact'],
    ['//api/v1/Contact', '/api/v1/Contact'],
    ['/api/v1//Contact/?a=//b/', '/api/v1/Contact?a=//b/'],
    ['/api/v1/Contact///', '/api/v1/Contact'],
    ['/api/v1/', '/api/v1'],
    ['/', '/'],
    ['////', '/'],
    ['/?x', '/?x'],
    ['http://host/api/v1/Contact', 'http://host/api/v1/Contact'],
    ['*', '*'],
  ])('%s is routed as %s', (url, routed) => {
    expect(normalizeUrl(url)).toBe(routed);
  });
});
