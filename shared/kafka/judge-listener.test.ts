import { describe, expect, it } from 'vitest';
import type { Listener } from '../net/listener/identify-listener.ts';
import { judgeListener } from './judge-listener.ts';

const account = { mechanism: 'plain', userName: 'annals', password: 'secret' } as const;
const tls = { authorities: undefined, client: undefined };
const kafka = (parts: Partial<Extract<Listener, { kind: 'kafka' }>> = {}): Listener => ({
  kind: 'kafka',
  tls: false,
  mechanisms: [],
  ...parts,
});

describe('judgeListener', () => {
  it('accepts a listener that fits the settings', () => {
    expect(judgeListener(kafka(), {})).toBeUndefined();
    expect(judgeListener(kafka({ mechanisms: ['PLAIN'] }), { account })).toBeUndefined();
    expect(judgeListener(kafka({ tls: true }), { tls })).toBeUndefined();
  });

  it.each([
    [
      'an account',
      kafka({ mechanisms: ['PLAIN'] }),
      {},
      'requires SASL (PLAIN)',
      'KAFKA_SASL_USERNAME',
    ],
    ['no account', kafka(), { account }, 'has no accounts', 'unset KAFKA_SASL_MECHANISM'],
    [
      'another mechanism',
      kafka({ mechanisms: ['SCRAM-SHA-512'] }),
      { account },
      'offers SCRAM-SHA-512, not plain',
      'set KAFKA_SASL_MECHANISM to scram-sha-512',
    ],
    ['TLS', kafka({ tls: true }), {}, 'requires TLS', 'KAFKA_TLS=true'],
    ['no TLS', kafka(), { tls }, 'does not speak TLS', 'unset KAFKA_TLS'],
  ] as const)(
    'names the variable when the broker expects %s',
    (_what, listener, security, says, remedy) => {
      expect(judgeListener(listener, security)).toEqual({
        says: expect.stringContaining(says),
        remedy: expect.stringContaining(remedy),
      });
    },
  );

  it.each([
    ['a Postgres server', { kind: 'postgres', tls: false }],
    ['an HTTP server', { kind: 'http', tls: false }],
    ['an HTTPS server', { kind: 'http', tls: true }],
  ] as const)('names %s that listens at the address of a broker', (name, listener) => {
    expect(judgeListener(listener)?.says).toBe(`${name} listens there, not Kafka`);
  });

  it('leaves a broker that is away to the client, which waits for it', () => {
    expect(judgeListener({ kind: 'unreachable', code: 'ECONNREFUSED' })).toBeUndefined();
    expect(judgeListener({ kind: 'unreachable', code: 'ENOTFOUND' })?.remedy).toContain(
      'KAFKA_BROKERS',
    );
  });
});
