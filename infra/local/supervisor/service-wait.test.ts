import { describe, expect, it } from 'vitest';
import { describeWait, hearLine, isHopeless, type ServiceWait } from './service-wait.ts';

const line = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields);
const refused = line({
  level: 50,
  msg: 'waiting for a part to become available',
  reason: 'Kafka: the broker requires SASL (PLAIN)',
  remedy: 'set KAFKA_SASL_MECHANISM',
});

/** Hears the same line every ten seconds. */
function hearFor(seconds: number, text: string, wait: ServiceWait = {}): ServiceWait {
  let heard = wait;
  for (let at = 0; at <= seconds * 1_000; at += 10_000) heard = hearLine(heard, text, at);
  return heard;
}

describe('the wait for a service', () => {
  it('has the reason and the remedy of the last warning', () => {
    const reason = 'Kafka: the broker requires SASL (PLAIN): set KAFKA_SASL_MECHANISM';
    expect(describeWait(hearLine({}, refused, 0), 5_000)).toBe(reason);
    const warning = line({
      level: 40,
      msg: 'cannot listen for the projector yet',
      err: {
        message: 'The database is not available.: password authentication failed',
        remedy: 'r',
      },
    });
    expect(describeWait(hearLine({}, warning, 0), 0)).toBe(
      'The database is not available.: password authentication failed: r',
    );
  });

  it('forgets a reason that the service no longer repeats', () => {
    expect(describeWait(hearLine({}, refused, 0), 31_000)).toBeUndefined();
  });

  it('is hopeless after 120 s with a reason, not earlier', () => {
    const startedAt = 0;
    expect(isHopeless(hearFor(110, refused), { startedAt, at: 110_000 })).toBe(false);
    expect(isHopeless(hearFor(120, refused), { startedAt, at: 120_000 })).toBe(true);
  });

  it('is not hopeless while the read model is rebuilt, however long that takes', () => {
    const rebuilding = line({ level: 30, msg: 'rebuilding', done: 10, total: 40 });
    const wait = hearFor(3_600, rebuilding, hearFor(60, refused));
    expect(isHopeless(wait, { startedAt: 0, at: 5_000_000 })).toBe(false);
    expect(describeWait(wait, 5_000_000)).toBe('rebuilds the read model, 10 of 40 entries');
  });

  it('lasts for a service without a reason, up to ten minutes', () => {
    expect(isHopeless({}, { startedAt: 0, at: 300_000 })).toBe(false);
    expect(isHopeless({}, { startedAt: 0, at: 600_000 })).toBe(true);
  });

  it('lasts for a command that needs the running Kafka', () => {
    const gone = refused.replace('set KAFKA_SASL_MECHANISM', 'annals topics accept');
    expect(isHopeless(hearFor(600, gone), { startedAt: 0, at: 600_000 })).toBe(false);
  });

  it('ignores lines that are not entries of the log, and those that give no reason', () => {
    for (const text of ['a stack trace', line({ level: 30, msg: 'listening' }), '{"a":1}'])
      expect(hearLine({}, text, 0)).toEqual({});
  });
});
