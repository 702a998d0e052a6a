import { describe, expect, it } from 'vitest';
import { describeWait, isHopeless, type ServiceWait, updateWait } from './service-wait.ts';

const line = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields);
const refused = line({
  level: 50,
  msg: 'waiting for a part to become available',
  reason: 'Kafka: the broker requires SASL (PLAIN)',
  remedy: 'set KAFKA_SASL_MECHANISM',
});

/** Logs the same line every ten seconds. */
function logFor(seconds: number, text: string, before: ServiceWait = {}): ServiceWait {
  let wait = before;
  for (let at = 0; at <= seconds * 1_000; at += 10_000) wait = updateWait(wait, text, at);
  return wait;
}

describe('the wait for a service', () => {
  it('shows the reason and the remedy from the last warning', () => {
    const reason = 'Kafka: the broker requires SASL (PLAIN): set KAFKA_SASL_MECHANISM';
    expect(describeWait(updateWait({}, refused, 0), 5_000)).toBe(reason);
    const warning = line({
      level: 40,
      msg: 'cannot listen to the projector yet',
      err: {
        message: 'The database is not available.: password authentication failed',
        remedy: 'r',
      },
    });
    expect(describeWait(updateWait({}, warning, 0), 0)).toBe(
      'The database is not available.: password authentication failed: r',
    );
  });

  it('drops a reason that the service no longer repeats', () => {
    expect(describeWait(updateWait({}, refused, 0), 31_000)).toBeUndefined();
  });

  it('becomes hopeless after 120 s with a reason', () => {
    const startedAt = 0;
    expect(isHopeless(logFor(110, refused), { startedAt, at: 110_000 })).toBe(false);
    expect(isHopeless(logFor(120, refused), { startedAt, at: 120_000 })).toBe(true);
  });

  it('is not hopeless during a rebuild of the read model', () => {
    const rebuilding = line({ level: 30, msg: 'rebuilding', done: 10, total: 40 });
    const wait = logFor(3_600, rebuilding, logFor(60, refused));
    expect(isHopeless(wait, { startedAt: 0, at: 5_000_000 })).toBe(false);
    expect(describeWait(wait, 5_000_000)).toBe('rebuilds the read model, 10 of 40 entries');
  });

  it('lasts up to ten minutes for a service that reports no reason', () => {
    expect(isHopeless({}, { startedAt: 0, at: 300_000 })).toBe(false);
    expect(isHopeless({}, { startedAt: 0, at: 600_000 })).toBe(true);
  });

  it('is not hopeless if its remedy is a command that requires a running Kafka', () => {
    const gone = refused.replace('set KAFKA_SASL_MECHANISM', 'annals topics accept');
    expect(isHopeless(logFor(600, gone), { startedAt: 0, at: 600_000 })).toBe(false);
  });

  it('ignores lines that are not log entries or lack a reason', () => {
    for (const text of ['a stack trace', line({ level: 30, msg: 'listening' }), '{"a":1}'])
      expect(updateWait({}, text, 0)).toEqual({});
  });
});
