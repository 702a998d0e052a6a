import { describe, expect, it } from 'vitest';
import type { Listener } from '../net/listener/identify-listener.ts';
import { findListenerFault } from './find-listener-fault.ts';

const account = { mechanism: 'plain', userName: 'annals', password: 'secret' } as const;
const tls = { authorities: undefined, client: undefined };
const kafka = (parts: Partial<Extract<Listener, { kind: 'kafka' }>> = {}): Listener => ({
  kind: 'kafka',
  tls: false,
  mechanisms: [],
  ...parts,
});

describe('findListenerFault', () => {
  it('accepts a listener that fits the settings', () => {
    expect(findListenerFault(kafka(), {})).toBeUndefined();
    expect(findListenerFault(kafka({ mechanisms: ['PLAIN'] }), { account })).toBeUndefined();
    expect(findListenerFault(kafka({ tls: true }), { tls })).toBeUndefined();
  });

  it.each([
    ['SASL', kafka({ mechanisms: ['PLAIN'] }), {}, 'requires SASL (PLAIN)', 'KAFKA_SASL_USERNAME'],
    ['no SASL', kafka(), { account }, 'does not use SASL', 'unset KAFKA_SASL_MECHANISM'],
    [
      'another mechanism',
      kafka({ mechanisms: ['SCRAM-SHA-512'] }),
      { account },
      'offers SCRAM-SHA-512, not plain',
      'set KAFKA_SASL_MECHANISM to scram-sha-512',
    ],
    ['TLS', kafka({ tls: true }), {}, 'requires TLS', 'KAFKA_TLS=true'],
    ['no TLS', kafka(), { tls }, 'does not use TLS', 'unset KAFKA_TLS'],
  ] as const)(
    'names the variable when the broker expects %s',
    (_what, listener, security, says, remedy) => {
      expect(findListenerFault(listener, security)).toEqual({
        says: expect.stringContaining(says),
        remedy: expect.stringContaining(remedy),
      });
    },
  );

  it.each([
    ['a Postgres server', { kind: 'postgres', tls: false }],
    ['an HTTP server', { kind: 'http', tls: false }],
    ['an HTTPS server', { kind: 'http', tls: true }],
  ] as const)('reports %s at the address of a broker', (name, listener) => {
    expect(findListenerFault(listener)?.says).toBe(`${name} listens at this address, not Kafka`);
  });

  it('reports no fault for an unavailable broker', () => {
    expect(findListenerFault({ kind: 'unreachable', code: 'ECONNREFUSED' })).toBeUndefined();
    expect(findListenerFault({ kind: 'unreachable', code: 'ENOTFOUND' })?.remedy).toContain(
      'KAFKA_BROKERS',
    );
  });
});
