import { expect, it } from 'vitest';
import { loadDispatcherConfig } from './config.ts';

const env = {
  KAFKA_BROKERS: '127.0.0.1:1',
  ANNALS_SECRET_KEY: '0'.repeat(64),
  INTERNAL_PORT: '0',
};

it('rejects a total timeout below the connect timeout', () => {
  const problem = 'WEBHOOK_TIMEOUT must not be below WEBHOOK_CONNECT_TIMEOUT';
  expect(() => loadDispatcherConfig({ ...env, WEBHOOK_TIMEOUT: '4s' })).toThrow(problem);
  expect(() => loadDispatcherConfig({ ...env, WEBHOOK_CONNECT_TIMEOUT: '11s' })).toThrow(problem);
  expect(loadDispatcherConfig({ ...env, WEBHOOK_TIMEOUT: '5s' }).delivery).toMatchObject({
    connectTimeoutMs: 5_000,
    timeoutMs: 5_000,
  });
});

it('accepts a queue interval of 0 or from one second to 24 days', () => {
  const intervalOf = (text: string) =>
    loadDispatcherConfig({ ...env, WEBHOOK_QUEUE_INTERVAL: text }).queue.intervalMs;
  expect([intervalOf('0'), intervalOf('1s'), intervalOf('24d')]).toEqual([0, 1_000, 2_073_600_000]);
  for (const text of ['1ms', '25d'])
    expect(() => intervalOf(text)).toThrow('WEBHOOK_QUEUE_INTERVAL');
});
