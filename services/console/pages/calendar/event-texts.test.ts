import { describe, expect, it } from 'vitest';
import { spanTextsOf } from './event-texts.ts';

/** Replaces the thin and non-breaking spaces of Intl. */
const plain = (text: string): string => text.replaceAll(/\s/gu, ' ');

describe('the text of a span', () => {
  it('has the day once, in the language of the user', () => {
    const span = { isAllDay: false, start: '2030-01-31T10:00:00', end: '2030-01-31T11:30:00' };
    expect(plain(spanTextsOf('en-GB')(span))).toBe('Thu, 31 Jan 2030, 10:00–11:30');
    expect(plain(spanTextsOf('de')(span))).toBe('Do., 31. Jan. 2030, 10:00–11:30 Uhr');
  });

  it('ends with the last of the whole days', () => {
    const span = { isAllDay: true, start: '2030-01-31', end: '2030-02-02' };
    expect(plain(spanTextsOf('en-US')(span))).toBe('Thu, Jan 31 – Fri, Feb 1, 2030');
    const one = { isAllDay: true, start: '2030-01-31', end: '2030-02-01' };
    expect(plain(spanTextsOf('en-US')(one))).toBe('Thu, Jan 31, 2030');
  });

  it('is one time if the span has no end', () => {
    const span = { isAllDay: false, start: '2030-01-31T10:00:00', end: null };
    expect(plain(spanTextsOf('en-GB')(span))).toBe('Thu, 31 Jan 2030, 10:00');
  });
});
