import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { queryPrometheus } from './query-prometheus.ts';
import { frameOf } from './series-frame.ts';

const frame = frameOf('1h', Date.parse('2026-01-01T12:00:30Z'));
const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`) / 1000;

let received: IncomingMessage[] = [];
let answer = { status: 200, body: '' };
const server = createServer((request, response) => {
  received.push(request);
  response.writeHead(answer.status).end(answer.body);
});

const matrix = (...values: readonly (readonly [number, string])[]): string =>
  JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: [{ values }] } });

function addressWith(path: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://user:pa%3Ass@127.0.0.1:${port}${path}`;
}

beforeEach(async () => {
  received = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('returns the number at the end of each step, or null if it is missing', async () => {
  answer = { status: 200, body: matrix([at('11:59:00'), '2.5'], [at('12:00:00'), 'NaN']) };
  const { answers2xx, latencyP99Ms } = await queryPrometheus(addressWith('/monitoring'), frame);
  expect(answers2xx.slice(-3)).toEqual([2.5, null, null]);
  expect(latencyP99Ms).toHaveLength(60);

  const [first] = received;
  const { pathname, searchParams } = new URL(first?.url ?? '', 'http://localhost');
  expect(pathname).toBe('/monitoring/api/v1/query_range');
  expect(Object.fromEntries(searchParams)).toMatchObject({
    query: expect.stringContaining('_count{status=~"2.."}[120s]'),
    start: `${at('11:02:00')}`,
    end: `${at('12:00:30')}`,
    step: '60',
  });
  expect(first?.headers.authorization).toBe(`Basic ${btoa('user:pa:ss')}`);
});

it('throws Unavailable for an error or an oversized response', async () => {
  answer = { status: 503, body: '' };
  await expect(queryPrometheus(addressWith(''), frame)).rejects.toThrow(Unavailable);
  answer = { status: 200, body: matrix([0, 'x'.repeat(300_000)]) };
  await expect(queryPrometheus(addressWith(''), frame)).rejects.toThrow(Unavailable);
});
