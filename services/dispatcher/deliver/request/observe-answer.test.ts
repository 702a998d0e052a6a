import { describe, expect, it } from 'vitest';
import { observeAnswer } from './observe-answer.ts';

describe('an observed response', () => {
  it('has headers, the first 16 KiB of the body and times', () => {
    const observer = observeAnswer();
    observer.started();
    observer.sentTo('192.0.2.1');
    observer.answered({ 'content-type': 'text/plain', 'set-cookie': ['a=secret', 'b=c'] });
    observer.received(Buffer.alloc(10_000, 'a'));
    observer.received(Buffer.alloc(10_000, 'b'));
    observer.received(Buffer.alloc(10_000, 'c'));
    const { headers, body, address, connectMs, firstByteMs } = observer.observed();
    expect(address).toBe('192.0.2.1');
    expect(headers).toEqual([
      ...['content-type', 'text/plain'],
      ...['set-cookie', '(hidden)', 'set-cookie', '(hidden)'],
    ]);
    expect(body.length).toBe(16 * 1024);
    expect(body.subarray(-2).toString()).toBe('bb');
    expect(connectMs).toBeGreaterThanOrEqual(0);
    expect(firstByteMs).toBeGreaterThanOrEqual(connectMs ?? 0);
  });

  it('is empty if no response arrived', () => {
    expect(observeAnswer().observed()).toEqual({
      headers: [],
      body: Buffer.alloc(0),
      address: null,
      connectMs: null,
      firstByteMs: null,
    });
  });

  it('has at most 8 KiB of headers', () => {
    const observer = observeAnswer();
    observer.answered(
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'a'.repeat(200)] as const),
      ),
    );
    const { headers } = observer.observed();
    expect(headers.join('').length).toBeLessThanOrEqual(8 * 1024);
    expect(headers.length).toBeGreaterThan(50);
  });
});
