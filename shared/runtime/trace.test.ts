import { describe, expect, it } from 'vitest';
import { continueTrace, currentTrace, isTraceparent, runInRequest, traceIdOf } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const received = `00-${traceId}-00f067aa0ba902b7-01`;

describe('a trace', () => {
  it('is continued with a new span id', () => {
    const trace = continueTrace(received);
    expect(trace.traceId).toBe(traceId);
    expect(trace.traceparent).toBe(`00-${traceId}-${trace.spanId}-01`);
    expect(trace.spanId).not.toBe('00f067aa0ba902b7');
    expect(traceIdOf(trace.traceparent)).toBe(traceId);
    expect(isTraceparent(trace.traceparent)).toBe(true);
  });

  it('is continued in version 00 if the header has a later version', () => {
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
  ])('starts without a parent if the header is %j', (header) => {
    const trace = continueTrace(header);
    expect(isTraceparent(trace.traceparent)).toBe(true);
    expect(trace.traceId).not.toBe(traceId);
    expect(trace.traceId).not.toBe(continueTrace(header).traceId);
  });

  it('never repeats an id of another trace', () => {
    const traces = Array.from({ length: 1_000 }, () => continueTrace(undefined));
    const ids = traces.flatMap(({ traceId, spanId }) => [traceId, spanId]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(traces.every(({ traceparent }) => isTraceparent(traceparent))).toBe(true);
  });

  it('is current only for code that runs in it', async () => {
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

  it.each([`${received} `, `${received}-x`, `01${received.slice(2)}`, 'a\r\nb: c', ''])(
    'is not passed on as %j',
    (text) => {
      expect(isTraceparent(text)).toBe(false);
    },
  );
});
