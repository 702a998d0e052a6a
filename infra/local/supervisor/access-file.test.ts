import { describe, expect, it } from 'vitest';
import { toKafkaAccess } from '../kafka/kafka-access.ts';
import { brokerAccount } from '../kafka/kafka-properties.ts';
import { toAccess, toBaseUrl } from './access-file.ts';

describe('toBaseUrl', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
    ['::1', 'http://[::1]:8080'],
    ['annals.example', 'http://annals.example:8080'],
  ])('maps a server on %s to %s', (host, url) => {
    expect(toBaseUrl(host, 8080)).toBe(url);
  });
});

describe('toAccess', () => {
  it('matches the start contract regardless of other content in the seed file', () => {
    const seed = {
      admin: { userName: 'admin', password: 'p1', note: 'x' },
      user: { userName: 'user', password: 'p2' },
      apiKey: { userName: 'api-key', apiKey: 'k1' },
      hmac: { userName: 'api-hmac', apiKey: 'k2', secretKey: 's2' },
    };
    const processes = { api: 1, projector: 2, dispatcher: 3, kafka: 4, postgres: null };

    const access = toAccess({
      url: 'http://127.0.0.1:8080',
      seed,
      kafka: toKafkaAccess('127.0.0.1:9092', brokerAccount('p3')),
      databaseUrl: 'postgres://127.0.0.1/annals',
      processes,
    });

    expect(access).toEqual({
      url: 'http://127.0.0.1:8080',
      admin: { userName: 'admin', password: 'p1' },
      user: { userName: 'user', password: 'p2' },
      apiKey: { userName: 'api-key', apiKey: 'k1' },
      hmac: { userName: 'api-hmac', apiKey: 'k2', secretKey: 's2' },
      kafka: {
        brokers: '127.0.0.1:9092',
        mechanism: 'plain',
        username: 'annals',
        password: 'p3',
      },
      postgres: { url: 'postgres://127.0.0.1/annals' },
      processes,
    });
  });
});
