import { describe, expect, it } from 'vitest';
import { continueTrace, currentTrace, isTraceparent, runInRequest, traceIdOf } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const given = `00-${traceId}-00f067aa0ba902b7-01`;

describe('a trace', () => {
  it('is continued under an id of its own', () => {
    const trace = continueTrace(given);
    expect(trace.traceId).toBe(traceId);
    expect(trace.traceparent).toBe(`00-${traceId}-${trace.spanId}-01`);
    expect(trace.spanId).not.toBe('00f067aa0ba902b7');
    expect(traceIdOf(trace.traceparent)).toBe(traceId);
    expect(isTraceparent(trace.traceparent)).toBe(true);
  });

  it('is continued in this version when a later one names it', () => {
    expect(continueTrace(`cc-${traceId}-00f067aa0ba902b7-01-more`).traceparent).toMatch(
      new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`),
    );
  });

  it.each([
    undefined,
    '',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    `00-${traceId}-0000000000000000-01`,
    `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
    '00-4bf92f35-00f067aa0ba902b7-01',
    "'; drop table accounts",
  ])('begins anew where the header is %j', (header) => {
    const trace = continueTrace(header);
    expect(isTraceparent(trace.traceparent)).toBe(true);
    expect(trace.traceId).not.toBe(traceId);
    expect(trace.traceId).not.toBe(continueTrace(header).traceId);
  });

  it('is known to what runs in it, and to nothing else', async () => {
    const trace = continueTrace(undefined);
    const seen = await new Promise((resolve) => {
      runInRequest(
        { trace, fail: () => undefined, isGone: () => false, impersonation: () => undefined },
        () => {
          setImmediate(() => resolve(currentTrace()));
        },
      );
    });
    expect(seen).toBe(trace);
    expect(currentTrace()).toBeUndefined();
  });

  it.each([`${given} `, `${given}-x`, `01${given.slice(2)}`, 'a\r\nb: c', ''])(
    'is not sent on as %j',
    (text) => {
      expect(isTraceparent(text)).toBe(false);
    },
  );
});
